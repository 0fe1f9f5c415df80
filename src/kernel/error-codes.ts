/** Every stable error code: HTTP status, title, next step. `docs/errors.md` is this table as a page (a test compares). */

interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  readonly next: string;
}

const entry = (status: number, title: string, next: string): ErrorEntry => ({ status, title, next });

export const ERROR_CODES = {
  // who is asking
  token_missing: entry(
    401,
    "No access token was sent.",
    "Send `Authorization: Bearer <JWT>` signed by the merchant.",
  ),
  token_invalid: entry(
    401,
    "The access token is not valid.",
    "Sign a new token: check `iss`, `aud`, `exp`, the key and the algorithm.",
  ),
  period_invalid: entry(
    400,
    "The period ends before it begins, or is too long.",
    "Send `from` before `to`, at most a year and a day apart.",
  ),
  token_expired: entry(401, "The access token has expired.", "Get a new token from the shop and try again."),
  forbidden: entry(403, "This token may not do that.", "Use a token with the needed role."),
  // operators: signing in
  session_ended: entry(401, "Nobody is signed in here, or the session has ended.", "Sign in again."),
  sign_in_failed: entry(
    401,
    "Email, password or code is wrong.",
    "Check all of them; who has lost theirs asks an admin of their team.",
  ),
  sign_in_locked: entry(
    429,
    "Too many attempts failed.",
    "Wait for the time in `Retry-After`; the right password is not taken before either.",
  ),
  origin_refused: entry(
    403,
    "This request did not come from a page of this server.",
    "Open the page itself and send it from there; scripts use an API key.",
  ),
  tenant_needed: entry(
    400,
    "It is not said for which tenant.",
    "Send the tenant's ID in the header `X-Recourse-Tenant`.",
  ),
  second_factor_needed: entry(
    403,
    "Your team asks for a second factor.",
    "Set one up on the page /account, then go on.",
  ),
  password_weak: entry(422, "This password cannot be taken.", "See the message for what it needs."),
  invitation_invalid: entry(
    410,
    "This invitation cannot be used, or not any more.",
    "Ask whoever invited you for a new one.",
  ),
  setup_unavailable: entry(
    403,
    "Setting up needs the code that the server printed when it started, and only works once.",
    "Take the code from the server's terminal; somebody who is set up already signs in.",
  ),
  operator_exists: entry(409, "This person works here already.", "Change their role instead."),
  last_admin: entry(
    409,
    "Without this person the tenant would have no admin.",
    "Make somebody else an admin first.",
  ),
  settings_changed: entry(
    409,
    "Somebody has changed these settings since you read them.",
    "Read them again and make your change on what they say now.",
  ),
  // what is asked for
  not_found: entry(
    404,
    "There is nothing here for you under this ID.",
    "Check the ID; it may belong to someone else or may never have existed.",
  ),
  run_not_found: entry(
    404,
    "This tenant has no such run.",
    "Check the ID (run_…): `recourse runs show` lists the latest runs.",
  ),
  run_id_missing: entry(400, "It is not said which run.", "`recourse runs show` lists the latest runs."),
  run_not_replayable: entry(
    409,
    "Nothing of this run is recorded that could be replayed.",
    "A run that has not ended is replayed later; of an erased customer's nothing is left to replay.",
  ),
  method_not_allowed: entry(
    405,
    "This path does not take this method.",
    "See /docs for the methods of each path.",
  ),
  body_invalid: entry(
    400,
    "The request body is not what this path takes.",
    "See `errors` for the fields; /docs shows the schema.",
  ),
  body_too_large: entry(413, "The request body is too large.", "Send less than the limit in docs/limits.md."),
  media_type_unsupported: entry(
    415,
    "The request body must be JSON.",
    "Send `Content-Type: application/json`.",
  ),
  message_empty: entry(422, "The message has no visible text.", "Write at least one visible character."),
  message_too_long: entry(
    422,
    "The message is too long.",
    "Shorten it to the limit in docs/limits.md, or split it.",
  ),
  attachment_invalid: entry(
    422,
    "This is no picture that can be taken.",
    "Send a JPEG, PNG or WebP picture; see the message for what is wrong with this one.",
  ),
  attachment_unknown: entry(
    422,
    "The conversation has no such attachment.",
    "Send the picture to `POST …/attachments` of this conversation first.",
  ),
  attachments_exhausted: entry(
    409,
    "No more pictures can be taken here.",
    "Say it in words, or ask for a person.",
  ),
  client_message_id_reused: entry(
    409,
    "This client_message_id was used for another text.",
    "Use a new client_message_id for a new message.",
  ),
  conversation_busy: entry(
    409,
    "This conversation is being answered.",
    "Try again in a moment: it is worked on right now.",
  ),
  too_many_conversations: entry(
    429,
    "You have too many open conversations.",
    "Go on in one of them, or close one first.",
  ),
  rate_limited: entry(429, "Too many requests.", "Wait for the time in `Retry-After`, then try again."),
  transcript_unavailable: entry(
    409,
    "This conversation cannot be sent by mail.",
    "Download it in the chat instead.",
  ),
  address_invalid: entry(
    400,
    "This is no address that mail can be sent to.",
    "Look for a typing error: it has one name, an @ and a domain, and nothing else.",
  ),
  transcript_link_invalid: entry(
    404,
    "This link is not valid, or not any more.",
    "Nothing to do: end the conversation again and ask for another one.",
  ),
  conversation_not_ended: entry(409, "This conversation has not ended.", "Do it once it is resolved."),
  rating_link_invalid: entry(
    404,
    "This link is not valid, or not any more.",
    "Nothing to do: you can also rate in the chat.",
  ),
  csat_already_given: entry(
    409,
    "How this conversation ended was rated already.",
    "Nothing to do: the first rating counts. Should it go on and end again, that can be rated too.",
  ),
  run_already_ended: entry(
    409,
    "This run has ended already.",
    "Nothing to cancel: read the conversation's events for its outcome.",
  ),
  cursor_invalid: entry(
    400,
    "`after_seq` must be a whole number of zero or more.",
    "Use the `seq` of the last event you have seen.",
  ),
  websocket_needed: entry(
    426,
    "This path speaks WebSocket or Server-Sent Events.",
    "Upgrade to WebSocket, or send `Accept: text/event-stream`.",
  ),
  // money and orders
  amount_invalid: entry(
    422,
    "This is not an amount of that currency.",
    "Write decimal text with at most the currency's decimals.",
  ),
  amount_mismatch: entry(
    422,
    "The amount is not what these items were paid.",
    "Use the amount that the order shows for the items, or leave items out.",
  ),
  amount_exceeds_refundable: entry(
    422,
    "The amount is more than what is still refundable.",
    "Ask for at most the refundable amount of the order.",
  ),
  order_not_found: entry(404, "No such order was found for this customer.", "Check the order number."),
  item_not_found: entry(422, "The order has no such item.", "Use a line item ID from the order."),
  units_unavailable: entry(
    409,
    "These units were refunded or returned already, or are being so.",
    "See the actions of the order for what happened to them.",
  ),
  order_busy: entry(409, "Another action on this order is being decided.", "Wait until it is settled."),
  tool_unknown: entry(422, "There is no such tool.", "Use one of the registered tools."),
  tool_arguments_invalid: entry(
    422,
    "The tool's arguments do not fit its schema.",
    "Correct the fields named in the message.",
  ),
  link_invalid: entry(
    410,
    "This link is not valid any more.",
    "It works once, for a quarter of an hour: write to us again and use the new one.",
  ),
  mail_refused: entry(
    406,
    "This delivery cannot be taken, now or later.",
    "Do not send it again: see the message for what is wrong with it.",
  ),
  mail_topic_unknown: entry(
    403,
    "Nothing is taken from this topic.",
    "Add its ARN to RECOURSE_SES_TOPICS, then subscribe again.",
  ),
  mail_source_unavailable: entry(
    503,
    "What belongs to this delivery could not be fetched.",
    "Send it again later; check the address, the region and the access keys if it goes on.",
  ),
  // reviews and decisions
  already_decided: entry(
    409,
    "This review was decided already.",
    "See the decision that counts in the answer.",
  ),
  review_changed: entry(
    409,
    "What you saw has changed since.",
    "Look at the review again and decide on what it says now.",
  ),
  review_expired: entry(
    409,
    "This review has expired.",
    "Start again from the conversation if it is still wanted.",
  ),
  conversation_changed: entry(
    409,
    "Somebody has written in this conversation since you looked.",
    "Read what is new; then send your answer, as it is or changed.",
  ),
  conversation_with_agent: entry(
    409,
    "The agent has this conversation.",
    "Take it over first; then it is yours to answer.",
  ),
  draft_changed: entry(
    409,
    "Another page of yours has saved a later draft.",
    "See `draft` for what is kept; save again with its version.",
  ),
  tags_exhausted: entry(422, "The conversation has as many tags as it can.", "Remove one first."),
  client_note_id_reused: entry(
    409,
    "This client_note_id was used for another text.",
    "Use a new client_note_id for a new note.",
  ),
  notes_exhausted: entry(422, "The conversation has as many notes as it can.", "Nothing more is kept here."),
  canned_reply_invalid: entry(
    422,
    "The canned reply cannot be kept like this.",
    "See the message; variables are listed in /docs.",
  ),
  canned_reply_changed: entry(
    409,
    "Somebody has changed this canned reply since you read it.",
    "Read it again and make your change on what it says now.",
  ),
  review_claimed: entry(
    409,
    "Somebody else works on this review.",
    "Wait until the claim is over, or ask them to release it.",
  ),
  second_person_needed: entry(
    409,
    "Two different people have to approve this amount.",
    "Ask somebody else to look at it and approve it too.",
  ),
  decision_id_reused: entry(
    409,
    "This decision_id was used for another decision.",
    "Use a new decision_id for a new decision.",
  ),
  decision_not_permitted: entry(
    409,
    "Policy does not permit this now.",
    "Read why in the answer; reject it, ask the customer, or change the amount.",
  ),
  undo_too_late: entry(
    409,
    "This decision can no longer be undone.",
    "Look at the action for what has been done; a confirmed refund is not taken back.",
  ),
  text_withheld: entry(
    422,
    "This text may not be sent to a customer.",
    "See `findings` for what is wrong with it, and write it again without that.",
  ),
  cursor_unknown: entry(
    400,
    "`cursor` is not one that this list gave.",
    "Start again without a cursor, or use `next_cursor` of the last page unchanged.",
  ),
  action_not_cancellable: entry(
    409,
    "This can no longer be cancelled.",
    "See the action's state: it is being carried out, or it has ended.",
  ),
  decision_invalid: entry(
    422,
    "This is not a decision that this review takes.",
    "See /docs for the decisions.",
  ),
  // policy
  policy_needs_admin: entry(
    403,
    "A version that counts from today on is published by an admin.",
    "Write a later effective_from, so that others can look at it before, or give the text to an admin.",
  ),
  policy_not_withdrawn: entry(
    409,
    "Only a version whose day has not come can be withdrawn.",
    "Publish another version: it takes its place.",
  ),
  policy_invalid: entry(422, "The policy document has errors.", "Correct the lines named in the message."),
  policy_missing: entry(
    500,
    "No policy version governs this.",
    "Publish a policy version whose effective_from is early enough.",
  ),
  // set-up
  config_invalid: entry(500, "The configuration is not valid.", "Correct the key named in the message."),
  data_dir_in_use: entry(
    500,
    "Another process uses this data folder.",
    "Stop it, or set RECOURSE_DATA_DIR to another folder.",
  ),
  port_in_use: entry(500, "The port is taken.", "Stop the program that uses it, or set another port."),
  database_unavailable: entry(
    503,
    "The database cannot be reached, or its disk is full.",
    "Try again soon; nothing that was acknowledged is lost. The server's log has the cause.",
  ),
  database_role_unsafe: entry(
    500,
    "The database role could bypass row-level security.",
    "Use a role that is neither owner nor superuser and has no BYPASSRLS.",
  ),
  schema_newer: entry(
    500,
    "The database was written by a newer version.",
    "Run that version, or restore a backup made by this one.",
  ),
  schema_older: entry(
    500,
    "The database has not had all migrations of this version, and its role may not run them.",
    "Run `recourse migrate --login ROLE` with the owner's DATABASE_URL, then start again.",
  ),
  events_not_owned: entry(
    500,
    "Only the schema's owner can take events away.",
    "Set DATABASE_URL to the owner's URL, as for `recourse migrate`.",
  ),
  login_role_missing: entry(
    500,
    "The database server does not have that login role.",
    "Create it first: `create role NAME login password '…'`.",
  ),
  shop_unavailable: entry(503, "The shop system cannot be reached.", "Try again soon."),
  provider_unavailable: entry(
    503,
    "The payment provider cannot be reached.",
    "Nothing is lost: it is tried again by itself.",
  ),
  shutting_down: entry(
    503,
    "The server is stopping.",
    "Reconnect: another server, or this one after its restart, goes on where it was.",
  ),
  webhook_signature_invalid: entry(
    401,
    "The webhook's signature does not fit its body.",
    "Check the signing secret; send the raw body unchanged.",
  ),
  webhook_payload_invalid: entry(
    400,
    "The webhook's body is not an event.",
    "Send the provider's event unchanged.",
  ),
  path_unknown: entry(404, "There is no such path.", "See /docs for the paths of this API."),
  query_invalid: entry(
    400,
    "A query parameter is not what this path takes.",
    "See `errors` for the parameters; /docs shows the schema.",
  ),
  stream_is_one_way: entry(
    400,
    "Streams only deliver events.",
    "Send messages with `POST /v1/conversations/{conversation_id}/messages`.",
  ),
  streams_exhausted: entry(
    503,
    "This server holds as many streams as it can.",
    "Reconnect after `Retry-After`, or poll `GET …/events`.",
  ),
  reader_too_slow: entry(
    408,
    "The stream was not read fast enough.",
    "Reconnect with `after_seq` set to the `seq` of the last event you have seen.",
  ),
  request_malformed: entry(
    400,
    "The request is not HTTP that this server takes.",
    "Send a well-formed HTTP/1.1 request with a `Host` header.",
  ),
  request_timeout: entry(408, "The request did not arrive in time.", "Send it again over a steadier link."),
  headers_too_large: entry(431, "The request headers are too large.", "Send fewer or shorter headers."),
  identity_unavailable: entry(
    503,
    "The merchant's signing keys cannot be fetched.",
    "Try again soon; the token itself was not refused.",
  ),
  // knowledge
  document_too_large: entry(
    413,
    "The document is larger than what is read.",
    "Split it: documents of up to 8 MB, 500 pages and 1,000,000 characters of text are read.",
  ),
  document_encrypted: entry(
    422,
    "The PDF is encrypted.",
    "Save it without a password, or add its text as Markdown.",
  ),
  document_unreadable: entry(
    422,
    "The document cannot be read.",
    "See the message for what is wrong with it; Markdown, HTML, PDF with text and plain text are read.",
  ),
  document_empty: entry(
    422,
    "There is no text in the document.",
    "A scanned PDF has pictures of text only: add its text as Markdown.",
  ),
  document_invalid: entry(
    422,
    "What is said about the document does not fit.",
    "Correct the field named in the message.",
  ),
  document_is_policy: entry(
    409,
    "This document is the policy that is enforced: it is neither removed nor replaced here.",
    "Publish another version of the policy.",
  ),
  document_version_conflict: entry(
    409,
    "The document has this version, or this effective date, already with another text.",
    "Give the new text a version and an effective date of its own.",
  ),
  embedding_dimension_unsupported: entry(
    500,
    "Embeddings of this length cannot be kept.",
    "Use an embedding model of at most 1,536 dimensions.",
  ),
  vector_extension_missing: entry(
    500,
    "The PostgreSQL server does not have the extension pgvector.",
    "Install it (Debian: postgresql-<major>-pgvector), and run `create extension vector` once as a superuser in Recourse's database.",
  ),
  internal: entry(
    500,
    "Something went wrong on our side.",
    "Try again; if it goes on, give the request ID to support.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;
