# Recourse: one image for servers, workers and migrations. The server has no build step; the pages of web/ are built in
# the first stage. Behind the tag is what its publisher last put there: who needs more pins the digest too.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
# `npm ci` builds the pages too (the script `prepare`). Afterwards only what runs is kept: the image has its own Node.js,
# and the one that npm brings is a hundred megabytes.
RUN npm ci \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/node node_modules/node-bin-* node_modules/.bin/node

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    RECOURSE_DATA_DIR=/data
WORKDIR /app
# The code belongs to root: the process can write its data folder only.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/web/dist ./web/dist
COPY --from=build /app/policies ./policies
COPY --from=build /app/prompts ./prompts
COPY --from=build /app/knowledge ./knowledge
COPY --from=build /app/sandbox ./sandbox
COPY --from=build /app/src ./src
RUN mkdir /data && chown 1000:1000 /data && chmod 700 /data
# The base image's user `node`, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: signals reach the process itself, and it ends in order. `command:` names another part of the work.
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "src/cli/main.ts"]
CMD ["all"]
