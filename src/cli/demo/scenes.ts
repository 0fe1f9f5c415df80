/** Every scene, in the order in which they are played. */
import { MAIL_SCENES } from "./mail-scenes.ts";
import { MIND_SCENES } from "./mind-scenes.ts";
import { MONEY_SCENES } from "./money-scenes.ts";
import type { Scene } from "./scene.ts";

export const SCENES: readonly Scene[] = [...MONEY_SCENES, ...MIND_SCENES, ...MAIL_SCENES];
