package dev.cleave.lab.simulation;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A connection: both ways in order and without loss, until one end is gone or the network takes it. */
final class Wire {

    private final Network network;
    private final End dialled;
    private final End accepted;

    /** Handles the messages that arrive at an end. */
    interface Handler {

        void onMessage(Object message);

        /** The other end is gone; called once. */
        void onClose();
    }

    private Wire(Network network, Actor from, Actor to) {
        this.network = network;
        dialled = new End(from);
        accepted = new End(to);
    }

    /**
     * Connects two processes, and finally gives the dialling one its end, or null.
     *
     * @param handler of the dialling process
     */
    static void dial(Network network, Actor from, Actor to, BiConsumer<@Nullable End, String> done, Handler handler) {
        World world = network.world();
        int life = from.life();
        if (network.isCut(from, to) || network.isCut(to, from)) {
            from.after(3_000_000_000L, () -> done.accept(null, "no answer"));
            return;
        }
        long there = network.delay(from, to);
        world.after(there, () -> {
            if (!to.isAlive()) {
                world.after(network.delay(to, from), () -> from.act(life, () -> done.accept(null, "refused")));
                return;
            }
            Wire wire = new Wire(network, from, to); // the kernel accepts, also of a frozen process
            to.opened(wire.accepted);
            to.act(to.life(), () -> wire.accepted.handler = to.accept(wire.accepted));
            world.after(
                    network.delay(to, from),
                    () -> from.act(life, () -> {
                        if (!wire.dialled.closed) {
                            wire.dialled.handler = handler;
                            from.opened(wire.dialled);
                            done.accept(wire.dialled, "");
                        } else {
                            done.accept(null, "reset");
                        }
                    }));
        });
    }

    /** One of the two sides. */
    final class End {

        private final Actor actor;
        private final int life;
        private @Nullable Handler handler;
        private boolean closed;
        private long lastArrival;

        private End(Actor actor) {
            this.actor = actor;
            this.life = actor.life();
        }

        private End other() {
            return this == dialled ? accepted : dialled;
        }

        Actor peer() {
            return other().actor;
        }

        boolean isClosed() {
            return closed;
        }

        void send(Object message) {
            if (!closed) {
                carry(() -> other().arrive(message));
            }
        }

        /** Closes this end; the other one hears of it behind what was sent. */
        void close() {
            if (!closed) {
                closed = true;
                actor.closed(this);
                carry(() -> other().ended());
            }
        }

        /** This end is gone with its process. */
        void vanish() {
            if (!closed) {
                closed = true;
                carry(() -> other().ended());
            }
        }

        private void carry(Runnable arrival) {
            World world = network.world();
            long at = Math.max(world.nanos() + network.delay(actor, other().actor), lastArrival + 1);
            lastArrival = at;
            network.carry(actor, other().actor, at - world.nanos(), arrival);
        }

        private void arrive(Object message) {
            actor.act(life, () -> {
                Handler receiver = handler;
                if (!closed && receiver != null) {
                    receiver.onMessage(message);
                }
            });
        }

        private void ended() {
            actor.act(life, () -> {
                if (!closed) {
                    closed = true;
                    actor.closed(this);
                    Handler receiver = handler;
                    if (receiver != null) {
                        receiver.onClose();
                    }
                }
            });
        }
    }
}
