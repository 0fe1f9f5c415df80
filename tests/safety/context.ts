/** A conversation with what is known of it, for judging texts. */
import { type FindingKind, type LeaveContext, mayLeave, NOTHING_KNOWN } from "../../src/safety/may-leave.ts";

export const ORDER = {
  orderId: "ord_1",
  number: "1042",
  state: "delivered",
  totalMinor: 11_300,
  parcels: [
    {
      trackingNumber: "4111111111111111",
      trackingUrl: "https://track.carrier.example/p/4111111111111111",
    },
  ],
};
export const CONTEXT: LeaveContext = {
  ...NOTHING_KNOWN,
  facts: [ORDER],
  customerTexts: ["My order 1043 is late. Write to ada@example.com or +49 151 2345 6789."],
  linkHosts: ["northwind.example"],
  contacts: ["help@northwind.example", "+1 212 555 0100", "12 Harbor Street, Portland"],
  policy: { days: [30], amounts: ["100", "500", "10000"] },
};

/** Why a text is held back; empty when it may leave. */
export const kindsOf = (text: string, context: Partial<LeaveContext> = {}): readonly FindingKind[] => {
  const leave = mayLeave(text, { ...CONTEXT, ...context });
  return leave.ok ? [] : leave.findings.map(({ kind }) => kind);
};
