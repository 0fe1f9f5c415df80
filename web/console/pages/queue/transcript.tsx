/** The conversation that a review is about, live, with the place to answer. */
import type { Review } from "../../api/reviews.ts";
import { Thread } from "../conversations/thread.tsx";

export function Transcript({ review }: { review: Review }) {
  return <Thread key={review.conversation_id} id={review.conversation_id} />;
}
