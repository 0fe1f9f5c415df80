/**
 * Default prices of hosted models, so that a name and a key are enough to begin. They are what the
 * providers' public price pages said on {@link PRICES_OF}, for standard use and short questions; a price in
 * the configuration wins. `docs/models.md` names the pages. Pure.
 */
import { type Price, type ProviderName, readPrice } from "./settings.ts";

/** Calendar date on which the list was last compared with the price pages. */
export const PRICES_OF = "2026-10-27";

/** US dollars for a million tokens: input, cached input, output. */
export const PRICE_LIST: Readonly<Record<string, string>> = {
  "openai/gpt-6-luna": "0.1/0.01/0.5",
  "openai/gpt-6-sol": "2/0.2/10",
  "openai/gpt-6-astra": "10/1/50",
  "openai/gpt-6.1-terra": "1/0.05/5",
  "openai/gpt-5.6-luna": "0.2/0.02/1.2",
  "openai/gpt-5.6-terra": "2/0.2/12",
  "openai/gpt-5.5": "5/0.5/30",
  "openai/gpt-5.4": "2.5/0.25/15",
  "openai/gpt-5.4-mini": "0.75/0.075/4.5",
  "openai/gpt-5.4-nano": "0.2/0.02/1.25",
  "openai/gpt-4.1": "2/0.5/8",
  "openai/gpt-4.1-mini": "0.4/0.1/1.6",
  "openai/gpt-4.1-nano": "0.1/0.025/0.4",
  "anthropic/claude-haiku-5-5": "0.1/0.01/0.5",
  "anthropic/claude-sonnet-5-5": "2/0.1/10",
  "anthropic/claude-opus-5-5": "4/0.2/20",
  "anthropic/claude-sonnet-5": "2/0.2/10",
  "anthropic/claude-haiku-4-5": "1/0.1/5",
  "anthropic/claude-sonnet-4-6": "3/0.3/15",
  "anthropic/claude-sonnet-4-5": "3/0.3/15",
};

/** `-2026-03-05` or `-20251001`: the same model, nailed down. */
const SNAPSHOT = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/** Null for a model that is not on the list: its price has to be configured. */
export function listedPrice(provider: ProviderName, id: string): Price | null {
  const text = PRICE_LIST[`${provider}/${id.replace(SNAPSHOT, "")}`];
  return text === undefined ? null : readPrice(text);
}
