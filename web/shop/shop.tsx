import { useCallback, useEffect, useState } from "preact/hooks";
import { type DemoOrder, ordersOf, type People, type Person, people, tokenOf } from "./api.ts";
import { Faults } from "./faults.tsx";
import { embed } from "./widget.ts";

const VISITOR = "visitor";

/** Who is signed in is in the address, so that a link shows the same. */
function chosen(all: readonly Person[]): Person | null {
  const wanted = new URLSearchParams(location.search).get("as") ?? "ada";
  if (wanted === VISITOR) return null;
  return all.find(({ customer }) => customer === wanted) ?? all[0] ?? null;
}

export function Shop() {
  const [all, setAll] = useState<People | null>(null);
  const [who, setWho] = useState<Person | null>(null);
  const [orders, setOrders] = useState<readonly DemoOrder[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const load = useCallback(async () => {
    try {
      const found = await people();
      setAll(found);
      const person = chosen(found.people);
      setWho(person);
      // On the root, so that the widget takes the shop's colours too.
      document.documentElement.className = person?.tenant ?? "northwind";
      const tenant = person?.tenant ?? found.shops[0]?.tenant ?? "";
      embed(tenant, person === null ? null : () => tokenOf(person));
      setOrders(person === null ? [] : await ordersOf(await tokenOf(person)));
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }, []);
  useEffect(() => void load(), [load]);
  // What the provider has refunded shows without a reload.
  useEffect(() => {
    if (who === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      tokenOf(who)
        .then(ordersOf)
        .then(setOrders, () => {});
    }, 3_000);
    return () => clearInterval(timer);
  }, [who]);

  const shop = all?.shops.find(({ tenant }) => tenant === (who?.tenant ?? all.shops[0]?.tenant));
  return (
    <div>
      <a class="skip" href="#orders">
        Skip to the orders
      </a>
      <header>
        <strong class="name">{shop?.name ?? "Demo shop"}</strong>
        <label>
          <span>Signed in as</span>
          <select
            value={who?.customer ?? VISITOR}
            disabled={all === null}
            onChange={({ currentTarget }) => {
              // A new page, as signing in is: the widget starts with the new person.
              location.search = `?as=${encodeURIComponent(currentTarget.value)}`;
            }}
          >
            {all?.shops.map(({ tenant, name }) => (
              <optgroup key={tenant} label={name}>
                {all.people
                  .filter((person) => person.tenant === tenant)
                  .map((person) => (
                    <option key={person.customer} value={person.customer}>
                      {person.name}
                    </option>
                  ))}
              </optgroup>
            ))}
            <option value={VISITOR}>Nobody (a visitor)</option>
          </select>
        </label>
        <nav aria-label="The rest of the demo">
          <a href="/console" target="_blank" rel="noreferrer">
            Operators' console
          </a>
          <a href="/docs">API</a>
        </nav>
      </header>
      <main>
        <section id="orders" aria-labelledby="orders-title">
          <h1 id="orders-title">{who === null ? "Welcome" : "Your orders"}</h1>
          {problem !== null && (
            <p class="problem" role="alert">
              {problem}{" "}
              <button type="button" onClick={() => void load()}>
                Try again
              </button>
            </p>
          )}
          {who !== null && <p class="hint">For the curious: {who.has}.</p>}
          {orders === null && problem === null && <p class="hint">Loading the orders …</p>}
          {orders?.length === 0 && (
            <p class="hint">
              {who === null
                ? "You are not signed in. Ask the chat about delivery or returns; about an order it will ask you to sign in."
                : "No orders yet. The chat knows that too: ask it."}
            </p>
          )}
          {orders?.map((order) => (
            <Order key={order.number} order={order} />
          ))}
        </section>
        <aside>
          <Faults />
          <section class="box">
            <h2>Try this</h2>
            <ul>
              <li>“Where is my order?”</li>
              <li>“I want my money back for the socks”, then “yes”</li>
              <li>The same again, in another tab</li>
              <li>“Refund order 1055” as Ada: it is somebody else's</li>
              <li>“Ich möchte eine Erstattung für Bestellung 1042”</li>
              <li>“My card is 4242 4242 4242 4242”: see what is kept</li>
            </ul>
          </section>
        </aside>
      </main>
    </div>
  );
}

const STATES: Readonly<Record<string, string>> = {
  unfulfilled: "Being prepared",
  label_created: "Label made",
  in_transit: "On its way",
  out_for_delivery: "Out for delivery",
  delivered: "Delivered",
  delivery_failed: "Delivery failed",
  cancelled: "Cancelled",
};

function Order({ order }: { order: DemoOrder }) {
  const money = (amount: string) =>
    new Intl.NumberFormat("en", { style: "currency", currency: order.currency }).format(Number(amount));
  return (
    <article class="order" aria-label={`Order ${order.number}`}>
      <h2>
        #{order.number} <span class="state">{STATES[order.state] ?? order.state}</span>
      </h2>
      <p class="hint">
        {new Date(order.placed_at).toLocaleDateString("en", { dateStyle: "medium" })}
        {order.tracking !== null && ` · ${order.tracking.carrier} ${order.tracking.number}`}
      </p>
      <ul>
        {order.items.map((item) => (
          <li key={item.title}>
            <span>
              {item.quantity > 1 ? `${item.quantity} × ` : ""}
              {item.title}
            </span>
            <span>{money(item.total)}</span>
          </li>
        ))}
        <li class="total">
          <span>Total</span>
          <span>{money(order.total)}</span>
        </li>
      </ul>
      {order.refunds.map((refund, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: refunds are only added
        <p class="refund" key={index}>
          At the provider: refund of {money(refund.amount)}, {refund.state}
        </p>
      ))}
    </article>
  );
}
