package dev.cleave.node;

import dev.cleave.call.Link;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.PeerTables;
import dev.cleave.client.Client;
import dev.cleave.ref.References;
import dev.cleave.server.Server;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Held;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.Load;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Hands what comes over a node's links to its client or its server side. */
final class NodeLinks implements LinkOwner {

    private final Server server;
    private final References references;
    private final Set<Link> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Client client;

    NodeLinks(Server server, References references) {
        this.server = server;
        this.references = references;
    }

    /** The client side stands; what comes before is of the greeting alone. */
    void connected(Client connected) {
        client = connected;
        connected.broker().check();
    }

    @Override
    public void onOpened(Link link) {
        open.add(link);
    }

    @Override
    public void onRequest(Link link, ByteBuf frame) {
        server.onRequest(link, frame);
    }

    @Override
    public void onCancel(Link link, int peer, long id) {
        server.onCancel(link, peer, id);
    }

    @Override
    public void onLaneEnd(Link link, LaneEnd end) {
        server.onLaneEnd(link, end);
    }

    @Override
    public void onAwaited(Link link, Awaited awaited) {
        server.onAwaited(link, awaited);
    }

    @Override
    public void onPeerGone(Link link, int peer) {
        server.onPeerGone(link, peer);
    }

    @Override
    public void onHeld(PeerTables peer, Held change) {
        references.changed(peer, change);
    }

    @Override
    public void onRegistry(Link link, FrameKind kind, ByteBuf frame) {
        Client known = client;
        if (known != null && known.broker().isLink(link)) {
            known.broker().onRegistry(kind, frame);
        }
    }

    @Override
    public void onClosed(Link link, @Nullable Throwable cause) {
        open.remove(link);
        server.onClosed(link);
        Client known = client;
        if (known != null) {
            known.broker().onClosed(link);
        }
    }

    @Override
    public Load load() {
        return server.load();
    }

    /** Closes all links. */
    void close() {
        open.forEach(Link::close);
    }
}
