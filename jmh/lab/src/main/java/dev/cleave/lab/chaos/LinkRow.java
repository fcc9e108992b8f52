package dev.cleave.lab.chaos;

import org.jspecify.annotations.Nullable;

/** The links that are cut, one kind after the other. */
enum LinkRow {
    /** No link is cut. */
    CALM("no link", null, false, 1, 0),
    /** Clients know whom to ask. */
    CLIENT_SERVER("client-server", Role.CLIENT, false, 60, 0),
    /** The broker remembers what it has relayed. */
    CLIENT_BROKER("client-broker", Role.CLIENT, true, 60, 0),
    /** A relayed call that a server has is lost with its connection. */
    SERVER_BROKER("server-broker", Role.SERVER, true, 60, LinkChaos.CALLERS),
    /** Servers are clients of other servers. */
    SERVER_SERVER("server-server", Role.SERVER, false, 30, 0);

    private final String what;
    private final @Nullable Role role;
    private final boolean toBroker;
    private final int frames;
    private final int mostInDoubt;

    /** The process that has dialled a connection. */
    enum Role {
        /** A node that calls. */
        CLIENT,
        /** A node that serves. */
        SERVER
    }

    LinkRow(String what, @Nullable Role role, boolean toBroker, int frames, int mostInDoubt) {
        this.what = what;
        this.role = role;
        this.toBroker = toBroker;
        this.frames = frames;
        this.mostInDoubt = mostInDoubt;
    }

    /** The name of the link. */
    String what() {
        return what;
    }

    /** The average number of frames between two cuts. */
    int frames() {
        return frames;
    }

    /** How many calls each cut may leave in doubt. */
    int mostInDoubt() {
        return mostInDoubt;
    }

    /** Whether a connection is one of those that are cut. */
    boolean cuts(Role dialler, boolean isToBroker) {
        return role == dialler && toBroker == isToBroker;
    }
}
