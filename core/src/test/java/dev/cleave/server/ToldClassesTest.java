package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Remote;
import dev.cleave.call.FrameTable;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.RightsGuard;
import dev.cleave.config.Bindings;
import dev.cleave.config.Rights;
import dev.cleave.ref.References;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Types;
import io.netty.buffer.ByteBuf;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server tells the classes of a service to those who name its methods and may know it. */
@Tag("one-jdk")
class ToldClassesTest {

    private final LocalTransport transport = LocalTransport.create();
    private final Endpoint door = Endpoint.local("told-" + UUID.randomUUID());
    private final FakeTimer timer = new FakeTimer();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<FrameKind> heard = new CopyOnWriteArrayList<>();
    private Server server;

    record Item(int count, String name) {}

    enum Colour {
        RED
    }

    /** Has classes of the program. */
    @Remote
    interface Shop {
        String put(Item item, Colour colour);
    }

    /** Says what it is told. */
    private final class Peer implements FrameHandler {

        private volatile Connection connection;

        @Override
        public void onOpen(Connection here) {
            connection = here;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.TYPES) {
                told.addAll(Types.read(frame.duplicate()).names());
            }
            heard.add(Header.kind(frame));
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}

        void say(Frame... frames) {
            await().until(() -> connection != null);
            Connection to = connection;
            for (Frame frame : frames) {
                to.write(frame.write(to.allocator()));
            }
            to.flush();
        }
    }

    @AfterEach
    void close() {
        server.close();
        transport.close();
    }

    /** Serves a shop, and says for a peer which methods it is going to call, and then PING. */
    private void serve(Rights rights, String service) {
        Hello hello = Hello.of("here", 1);
        InterfaceReader interfaces = new InterfaceReader(Bindings.NONE);
        References references = new References(hello, interfaces, timer, new SecureRandom());
        LinkContext context =
                LinkContext.of(hello, references, timer, new ReceiveBudget(1 << 20), new RightsGuard(rights));
        Server serving = Server.start(context, references, new Server.Capacity(1, 8));
        server = serving;
        serving.add(interfaces.read("shop", Shop.class), (Shop) (item, colour) -> "");
        FrameTable<Link> frames = Link.frames()
                .on(FrameKind.METHODS, Methods::read, serving::onMethods)
                .build();
        Link.listen(transport, door, context, new LinkOwner() {
            @Override
            public FrameTable<Link> frames() {
                return frames;
            }
        });
        Peer peer = new Peer();
        new Handshake(Hello.of("there", 2), timer).connect(transport, door, (connection, who) -> peer);
        peer.say(
                new Methods(
                        0, List.of(new Methods.Method(0, service, "put()V"), new Methods.Method(1, service, "x()"))),
                new Ping(1));
        await().until(() -> heard.contains(FrameKind.PONG));
    }

    @Test
    void whoMayKnowTheServiceIsToldItsClassesOnceAndNoConstants() {
        serve(Rights.ALL, "shop");

        assertThat(told).containsExactly(Item.class.getName() + "#r;count/Iname/Ljava/lang/String;");
    }

    @Test
    void whoMayNotKnowItIsToldNothing() {
        serve(Rights.of(List.of()), "shop");

        assertThat(heard).doesNotContain(FrameKind.TYPES);
    }

    @Test
    void ofAServiceThatIsNotHereNothingIsTold() {
        serve(Rights.ALL, "store");

        assertThat(heard).doesNotContain(FrameKind.TYPES);
    }
}
