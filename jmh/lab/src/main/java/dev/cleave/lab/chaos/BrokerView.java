package dev.cleave.lab.chaos;

import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.Load;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Services;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks one broker, and never another one of its cluster, which replicas it knows. One thread at a time. */
final class BrokerView implements FrameHandler, AutoCloseable {

    static final String HERE = "here";
    static final String NO_BROKER = "no broker";

    private static final int SECONDS = 60;

    private final BlockingQueue<Services> answers = new LinkedBlockingQueue<>();
    private volatile @Nullable Connection connection;
    private long id;

    private BrokerView() {}

    static BrokerView open(Transport transport, Endpoint broker, Timer timer) {
        BrokerView view = new BrokerView();
        Hello hello = new Hello(
                Hello.MIN_VERSION, Hello.MAX_VERSION, 0, "view", 1); // without features: is told of no other broker
        view.connection = new Handshake(hello, timer).connect(transport, broker, (made, peer) -> view);
        return view;
    }

    /** The endpoint of each replica and where it is connected: "here", at a broker, or at "no broker". */
    Map<String, String> replicas() {
        Map<String, String> all = new HashMap<>();
        try {
            send(new ListServices(++id));
            Services said;
            do {
                said = answers.poll(SECONDS, TimeUnit.SECONDS);
            } while (said != null && said.id() != id);
            if (said != null) {
                said.services().forEach(service -> service.replicas()
                        .forEach(replica -> all.put(
                                service.name() + '/' + replica.name(), replica.endpoint() + ' ' + at(replica))));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return all;
    }

    private static String at(Services.Replica replica) {
        return replica.isElsewhere() || replica.address().equals(NO_BROKER) ? replica.address() : HERE;
    }

    private void send(Frame frame) {
        Connection open = connection;
        if (open != null) {
            open.write(frame.write(open.allocator()));
            open.flush();
        }
    }

    @Override
    public void onOpen(Connection opened) {
        connection = opened;
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        FrameKind kind = Header.kind(frame);
        if (kind == FrameKind.SERVICES) {
            answers.add(Services.read(frame));
        } else if (kind == FrameKind.PING) {
            send(new Pong(Ping.read(frame).id(), Load.NONE));
        }
    }

    @Override
    public void onClose(Connection closed, @Nullable Throwable cause) {
        // a question that is asked later gets no answer
    }

    @Override
    public void close() {
        Connection open = connection;
        if (open != null) {
            open.close();
        }
    }
}
