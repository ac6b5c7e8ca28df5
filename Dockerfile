# tilescope as its package installs it. Build the package first: scripts/package deb
FROM debian:bookworm-slim
COPY build/packages/tilescope_*.deb /tmp/
RUN apt-get update
RUN apt-get install -y --no-install-recommends /tmp/tilescope_*.deb
RUN rm -rf /tmp/tilescope_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["tilescope"]
