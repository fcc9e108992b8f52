package dev.cleave.lab.simulation;

import dev.cleave.config.Pings;
import dev.cleave.replica.Pulse;
import dev.cleave.wire.Load;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.ReplicaState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node's connection to the broker: dialled again after random pauses that double, watched by pings. */
final class BrokerLine implements Wire.Handler {

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 3_000;

    private final Network network;
    private final Actor node;
    private final Actor broker;
    private final Runnable connected;
    private final Consumer<Object> receiver;
    private long pause = FIRST_PAUSE_MILLIS;
    private Wire.@Nullable End end;
    private Pulse pulse = pulse();
    private boolean heard;

    /**
     * Creates one that is not connected.
     *
     * @param connected told each time that it stands: everything is to be said again
     * @param receiver gets what the broker says
     */
    BrokerLine(Network network, Actor node, Actor broker, Runnable connected, Consumer<Object> receiver) {
        this.network = network;
        this.node = node;
        this.broker = broker;
        this.connected = connected;
        this.receiver = receiver;
    }

    /** Connects, in a new life. */
    void open() {
        end = null;
        pause = FIRST_PAUSE_MILLIS;
        dial();
        tick();
    }

    void send(Object message) {
        Wire.End now = end;
        if (now != null) {
            now.send(message);
        }
    }

    /** Everything is to be said again after a pause: the broker has refused. */
    void againLater() {
        node.after(nextPause(), () -> {
            if (end != null) {
                connected.run();
            }
        });
    }

    @Override
    public void onMessage(Object message) {
        heard = true;
        if (message instanceof Ping ping) {
            send(new Pong(ping.id(), Load.NONE));
        } else if (!(message instanceof Pong)) {
            receiver.accept(message);
        }
    }

    @Override
    public void onClose() {
        end = null;
        node.after(nextPause(), this::dial);
    }

    private void dial() {
        Wire.dial(
                network,
                node,
                broker,
                (made, why) -> {
                    if (made == null) {
                        node.after(nextPause(), this::dial);
                        return;
                    }
                    end = made;
                    pulse = pulse();
                    heard = true;
                    pause = FIRST_PAUSE_MILLIS;
                    connected.run();
                },
                this);
    }

    private void tick() {
        node.after(Pings.DEFAULT.halved().every().toNanos(), () -> {
            Wire.End now = end;
            if (now != null) {
                count(now);
            }
            tick();
        });
    }

    private void count(Wire.End now) {
        if (heard) {
            pulse.onSign();
        } else {
            pulse.onSilence();
        }
        heard = false;
        if (pulse.state() == ReplicaState.DOWN) {
            now.close();
            onClose();
        } else {
            now.send(new Ping(0));
        }
    }

    private long nextPause() {
        long upTo = pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        return network.world().upTo(upTo);
    }

    private static Pulse pulse() {
        Pings pings = Pings.DEFAULT.halved();
        return new Pulse(ReplicaState.UP, pings.suspectAfter(), pings.downAfter());
    }
}
