# syntax=docker/dockerfile:1
# Node.js 26, the active LTS line since October 2026. Dependabot keeps the digests fresh; by hand:
# docker buildx imagetools inspect node:26-trixie-slim --format '{{.Manifest.Digest}}'

# What a running service needs, and nothing else.
FROM node:26-trixie-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33 AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/openapi-exact/package.json ./packages/openapi-exact/
COPY packages/openapi-exact-reference/package.json ./packages/openapi-exact-reference/
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --workspace=openapi-exact --workspace=openapi-exact-reference --include-workspace-root
# SQLite's sources and the binaries for other systems are half of all that was installed.
RUN cd node_modules/better-sqlite3 \
    && rm -r deps src \
    && find prebuilds -type f ! -name "linux-$(node --print process.arch).node" -delete

# The program is the same for every processor, so it is built on the one that builds.
FROM --platform=$BUILDPLATFORM node:26-trixie-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/openapi-exact/package.json ./packages/openapi-exact/
COPY packages/openapi-exact-reference/package.json ./packages/openapi-exact-reference/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --workspace=openapi-exact --workspace=openapi-exact-reference --include-workspace-root
COPY tsconfig.json tsconfig.build.json ./
COPY generated ./generated
COPY packages/openapi-exact/tsconfig.json ./packages/openapi-exact/
COPY packages/openapi-exact/src ./packages/openapi-exact/src
COPY packages/openapi-exact-reference/tsconfig.json ./packages/openapi-exact-reference/
COPY packages/openapi-exact-reference/src ./packages/openapi-exact-reference/src
COPY src ./src
COPY scripts/build.mjs scripts/built-inputs.mjs ./scripts/
RUN npm run build -- --service

FROM node:26-trixie-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY packages/openapi-exact/package.json ./packages/openapi-exact/
COPY --from=build /app/packages/openapi-exact/dist ./packages/openapi-exact/dist
COPY packages/openapi-exact-reference/package.json ./packages/openapi-exact-reference/
COPY --from=build /app/packages/openapi-exact-reference/dist ./packages/openapi-exact-reference/dist
COPY package.json openapi.yaml ./
# What https://specs.opencontainers.org/image-spec/annotations/ says of an image; the build knows the version and the commit.
ARG SOURCE="" REVISION="" VERSION=""
LABEL org.opencontainers.image.title="plant-store" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.source="$SOURCE" \
    org.opencontainers.image.revision="$REVISION" \
    org.opencontainers.image.version="$VERSION"
# The one place that is written to: everything else may be read-only, and belongs to root.
RUN install --directory --owner=1000 --group=1000 --mode=0700 data
VOLUME /app/data
# The image's user "node", by number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
# Where the service reads its settings, the check reads them too.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "--eval", "try { process.loadEnvFile() } catch {} \
const { ADMIN_HOST: host = '127.0.0.1', ADMIN_PORT: port = 9464 } = process.env; \
fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without a shell: node is process 1 and hears SIGTERM itself.
ENTRYPOINT ["node", "/app/dist/cli.js"]
CMD ["serve"]
