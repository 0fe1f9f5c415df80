/** English. */
import type { Lexicon } from "./lexicon.ts";

export const ENGLISH: Lexicon = {
  language: "en",
  answers: {
    yes: `yes|yeah|yea|yep|yup|yessir|y|aye|sure|sure thing|of course|certainly|absolutely|definitely|ok|okay|okey|
      confirm|confirmed|i confirm|i confirm it|i confirm that|agreed|i agree|correct|that's correct|thats correct|
      that is correct|that's right|thats right|that is right|go ahead|go for it|go on|do it|do that|do so|
      please do|proceed|please proceed|sounds good|that sounds good|looks good|that looks good|that works|
      works for me|that's fine|thats fine|that is fine|that's ok|thats ok|that is ok|that's okay|let's do it|
      lets do it|let's do that|let's go|i'd like that|i would like that|i want that|yes i do|yes i want that|
      yes i am sure|yes i'm sure|yes that's it|make it so|approved|i accept|accept|accepted`,
    no: `no|nope|nah|n|no way|not now|no thanks|no thank you|never|never mind|nevermind|nvm|don't|dont|do not|
      don't do it|dont do it|do not do it|don't do that|dont do that|do not do that|please don't|stop|stop it|
      cancel|cancel it|cancel that|forget it|forget that|leave it|rather not|i'd rather not|i would rather not|
      i changed my mind|changed my mind|scrap that|abort|i don't want it|i don't want that|i dont want that|
      i do not want that|no wait|wait no`,
    courtesy: `please|pls|plz|thanks|thank you|thank you very much|thank you so much|thanks a lot|many thanks|thx|ty|
      cheers|great|perfect|awesome|wonderful|lovely|brilliant|that's great|that's perfect|hi|hello`,
    neither: "no problem|no worries|not sure",
  },
};
