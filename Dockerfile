# One image for all commands: `signoff serve`, `api`, `worker`, `migrate`, and the others.

FROM node:22-slim AS web
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm install --no-save --no-fund --no-audit
COPY web ./
RUN npm run build

FROM python:3.11-slim AS python
RUN pip install --no-cache-dir uv
WORKDIR /build
ENV UV_PROJECT_ENVIRONMENT=/opt/signoff UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=copy
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --frozen --no-dev --no-install-project --compile-bytecode
COPY web/build_hook.py web/build_hook.py
COPY src src
COPY --from=web /build/src/signoff/pages/app src/signoff/pages/app
RUN uv sync --frozen --no-dev --no-editable --compile-bytecode

FROM python:3.11-slim
# The embedded PostgreSQL also runs as this account, if `signoff serve` is the only container.
RUN useradd --system --uid 10001 --create-home signoff && install --directory --owner=signoff --mode=700 /data
COPY --from=python /opt/signoff /opt/signoff
ENV PATH=/opt/signoff/bin:$PATH SIGNOFF_DATA_DIR=/data SIGNOFF_HOST=0.0.0.0
USER signoff
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["signoff"]
CMD ["serve"]
