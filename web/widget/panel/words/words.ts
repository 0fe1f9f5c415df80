/** What the panel itself says, in the languages of the fixed workflows. What the agent says comes from the server. */
export interface Words {
  readonly title: string;
  readonly intro: string;
  readonly placeholder: string;
  readonly send: string;
  readonly close: string;
  readonly log: string;
  readonly you: string;
  readonly agent: string;
  readonly person: string;
  readonly typing: string;
  readonly sending: string;
  readonly notSent: string;
  readonly retry: string;
  readonly remove: string;
  readonly offline: string;
  readonly slow: (seconds: number) => string;
  readonly loading: string;
  readonly failed: string;
  readonly joined: string;
  readonly ended: string;
  readonly startOver: string;
  readonly menu: string;
  readonly toPerson: string;
  /** What the customer says by that; the agent understands it. */
  readonly wantPerson: string;
  readonly newChat: string;
  readonly end: string;
  readonly endByMail: string;
  readonly mailed: (address: string) => string;
  /** Of a visitor, who names where the copy goes. */
  readonly address: string;
  readonly cancel: string;
  readonly asked: (address: string) => string;
  readonly save: string;
  readonly goOn: string;
  readonly attach: string;
  readonly picture: string;
  readonly pictureOnly: string;
  readonly unread: (n: number) => string;
  readonly newest: string;
  readonly rate: string;
  readonly rated: string;
  readonly stars: (n: number) => string;
  readonly comment: string;
  readonly sendRating: string;
  readonly order: (number: string) => string;
  readonly track: string;
  readonly arrives: (date: string) => string;
  readonly arrived: (date: string) => string;
  readonly source: string;
  readonly since: (date: string) => string;
  readonly tooLong: (max: number) => string;
  readonly refund: string;
  readonly return: string;
  readonly steps: {
    readonly asked: string;
    readonly person: string;
    readonly sent: string;
    readonly confirmed: string;
  };
  readonly checking: string;
  readonly states: Readonly<Record<string, string>>;
}
