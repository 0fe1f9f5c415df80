/** The operators' console. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isRefusal, Problem } from "./api/client.ts";
import { Toasts } from "./parts/toast.tsx";
import { router } from "./router.tsx";
import { SessionProvider } from "./session.tsx";
import { applyTheme } from "./theme.ts";
import "./app.css";

applyTheme();
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the server refuses it refuses again; what it did not answer is asked for anew.
      retry: (count, error) => count < 3 && error instanceof Problem && !isRefusal(error),
      retryDelay: (count, error) =>
        (error instanceof Problem ? error.retryAfterMs : null) ?? 1_000 * 2 ** count,
    },
    // A decision is never sent again behind the operator's back.
    mutations: { retry: false },
  },
});

// The page's code comes while the server is asked who this is.
void router.load();
const element = document.getElementById("console");
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Toasts>
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
        </Toasts>
      </QueryClientProvider>
    </StrictMode>,
  );
}
