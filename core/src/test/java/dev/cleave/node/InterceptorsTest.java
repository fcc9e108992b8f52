package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Async;
import dev.cleave.CallContext;
import dev.cleave.Chained;
import dev.cleave.Cleave;
import dev.cleave.OneWay;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import dev.cleave.config.Bindings;
import dev.cleave.intercept.CallObserver;
import dev.cleave.intercept.ClientInterceptor;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.intercept.IncomingCall;
import dev.cleave.intercept.OutgoingCall;
import dev.cleave.intercept.ServerInterceptor;
import dev.cleave.testing.EffectOf;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
@Tag("one-jdk")
class InterceptorsTest extends NodesUnderTest {

    /** Adds, or fails. */
    @Remote
    public interface Adder {

        int add(int a, int b);

        @Async
        int addAhead(int a, int b);

        @Chained
        int addInOrder(int a, int b);

        @Pure
        int addPurely(int a, int b);

        CompletableFuture<Integer> addLater(int a, int b);

        @OneWay
        void forget(String text);

        String fail(String why);
    }

    private static final class RealAdder implements Adder {

        @Override
        public int add(int a, int b) {
            return a + b;
        }

        @Override
        public int addAhead(int a, int b) {
            return a + b;
        }

        @Override
        public int addInOrder(int a, int b) {
            return a + b;
        }

        @Override
        public int addPurely(int a, int b) {
            return a + b;
        }

        @Override
        public CompletableFuture<Integer> addLater(int a, int b) {
            return CompletableFuture.completedFuture(a + b);
        }

        @Override
        public void forget(String text) {
            LOG.add("forgotten " + text);
        }

        @Override
        public String fail(String why) {
            throw new IllegalStateException(why);
        }
    }

    private static final List<String> LOG = new CopyOnWriteArrayList<>();

    /** Logs each word that it is told. */
    private static class Logging implements ClientInterceptor, ServerInterceptor {

        private final String name;

        Logging(String name) {
            this.name = name;
        }

        @Override
        public CallObserver sends(OutgoingCall call) {
            LOG.add(name + " sends " + call.method().getName() + call.arguments() + (call.isAhead() ? " ahead" : ""));
            call.attach(name, "was here");
            return new CallObserver() {
                @Override
                public void reached() {
                    LOG.add(name + " reached");
                }

                @Override
                public void ended(Object result, Throwable failure) {
                    LOG.add(name + " ended " + result + " " + (failure == null ? "" : failure.getMessage()));
                }

                @Override
                public void givenUp() {
                    LOG.add(name + " given up");
                }
            };
        }

        @Override
        public void intercept(IncomingCall call) throws Throwable {
            CallContext context = call.context();
            LOG.add(name + " serves " + context.method().getName() + call.arguments() + " "
                    + context.attachments().get(name));
            try {
                LOG.add(name + " served " + call.proceed());
            } catch (Throwable e) {
                LOG.add(name + " saw " + e.getMessage());
                throw e;
            }
        }
    }

    /** Of the file. */
    public static final class FromFile extends Logging {

        /** Made by a node. */
        public FromFile() {
            super("file");
        }
    }

    /** Forbids what is odd. */
    private static final class Veto implements ClientInterceptor, ServerInterceptor {

        @Override
        public CallObserver sends(OutgoingCall call) {
            if (call.arguments().contains(7)) {
                throw new SecurityException("seven is not sent");
            }
            return null;
        }

        @Override
        public void intercept(IncomingCall call) throws Throwable {
            if (call.arguments().contains(9)) {
                throw new SecurityException("nine is not served");
            }
            if (call.arguments().contains(11)) {
                return;
            }
            call.proceed();
            if (call.arguments().contains(13)) {
                throw new SecurityException("too late");
            }
        }
    }

    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    /** Carries a thread-local of the test. */
    private static final class UserCarrier implements ContextCarrier {

        @Override
        public void capture(BiConsumer<String, String> attachments) {
            if (USER.get() != null) {
                attachments.accept("user", USER.get());
            }
        }

        @Override
        public Scope restore(Map<String, String> attachments) {
            String before = USER.get();
            USER.set(attachments.get("user"));
            return () -> USER.set(before);
        }
    }

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    private Adder connect(NodeOptions ofServer, NodeOptions ofClient) {
        LOG.clear();
        node(ofServer.withName("server")).bind("adder", new RealAdder());
        client = node(ofClient.withName("client"));
        return client.lookup("adder", Adder.class);
    }

    private static Handle send(Adder adder, String method, int a, int b) throws Throwable {
        return (Handle) adder.getClass()
                .getMethod(method + Stub.SEND_SUFFIX, int.class, int.class)
                .invoke(adder, a, b);
    }

    @EffectOf("services.interceptors")
    @Test
    void thoseOfTheOptionsStandAroundThoseOfTheFile() {
        NodeOptions options = NodeOptions.DEFAULT
                .withInterceptor(new Logging("first"))
                .withInterceptor(new Logging("second"))
                .withBindings(Bindings.parse(
                        "services: {adder: {interceptors: [" + FromFile.class.getName() + "]}, other: {}}",
                        "cleave.yaml"));
        Adder adder = connect(options, options);

        assertThat(adder.add(1, 2)).isEqualTo(3);

        assertThat(LOG)
                .containsExactly(
                        "first sends add[1, 2]",
                        "second sends add[1, 2]",
                        "file sends add[1, 2]",
                        "first serves add[1, 2] was here",
                        "second serves add[1, 2] was here",
                        "file serves add[1, 2] was here",
                        "file served 3",
                        "second served 3",
                        "first served 3",
                        "file ended 3 ",
                        "second ended 3 ",
                        "first ended 3 ");
    }

    @Test
    void aCallSentAheadIsSeenAtItsSendAndAgainAtItsPlace() throws Throwable {
        Adder adder = connect(NodeOptions.DEFAULT, NodeOptions.DEFAULT.withInterceptor(new Logging("i")));

        Handle first = send(adder, "addAhead", 1, 2);
        Handle second = send(adder, "addAhead", 3, 4);
        assertThat(first.awaitInt()).isEqualTo(3);
        second.discard();

        assertThat(LOG)
                .containsExactly(
                        "i sends addAhead[1, 2] ahead",
                        "i sends addAhead[3, 4] ahead",
                        "i reached",
                        "i ended 3 ",
                        "i given up");
    }

    @Test
    void exceptionsFuturesAndOneWayCallsAreSeen() throws Exception {
        Adder adder = connect(
                NodeOptions.DEFAULT.withInterceptor(new Logging("s")),
                NodeOptions.DEFAULT.withInterceptor(new Logging("c")));

        assertThatThrownBy(() -> adder.fail("why")).isExactlyInstanceOf(IllegalStateException.class);
        assertThat(LOG).contains("s saw why", "c ended null why");
        assertThat(adder.addLater(1, 2).get()).isEqualTo(3);
        assertThat(LOG).contains("c sends addLater[1, 2]", "s serves addLater[1, 2] null", "c ended 3 ");
        adder.forget("it");
        assertThat(LOG).contains("c sends forget[it]", "c ended null ");
        assertThat(Cleave.async(() -> adder.add(5, 6)).await()).isEqualTo(11);
        assertThat(LOG).contains("c ended 11 ", "s served 11", "s served null", "forgotten it");
    }

    @Test
    void aClientInterceptorForbidsACallByAnException() throws Throwable {
        Adder adder = connect(
                NodeOptions.DEFAULT.withInterceptor(new Logging("s")),
                NodeOptions.DEFAULT.withInterceptor(new Logging("c")).withInterceptor(new Veto()));

        assertThatThrownBy(() -> adder.add(7, 1))
                .isExactlyInstanceOf(SecurityException.class)
                .hasMessage("seven is not sent");
        Handle ahead = send(adder, "addAhead", 7, 1);
        Handle next = send(adder, "addAhead", 8, 1);
        assertThatThrownBy(ahead::awaitInt).hasMessage("seven is not sent");
        assertThat(next.awaitInt()).isEqualTo(9);
        assertThatThrownBy(() -> adder.addLater(7, 1).get()).hasRootCauseMessage("seven is not sent");
        assertThatThrownBy(() -> Cleave.async(() -> adder.add(7, 2)).await()).hasMessage("seven is not sent");

        assertThat(LOG).contains("c ended null seven is not sent").noneMatch(word -> word.startsWith("s serves add[7"));
    }

    @Test
    void aServerInterceptorForbidsACallByAnExceptionAndCannotChangeItsOutcome() {
        Adder adder = connect(NodeOptions.DEFAULT.withInterceptor(new Veto()), NodeOptions.DEFAULT);

        assertThat(adder.add(1, 2)).isEqualTo(3);
        assertThatThrownBy(() -> adder.add(9, 1))
                .isExactlyInstanceOf(SecurityException.class)
                .hasMessage("nine is not served");
        assertThatThrownBy(() -> adder.add(11, 1))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("returned without IncomingCall.proceed");
        assertThat(adder.add(13, 1))
                .as("what it throws when the method has run is logged")
                .isEqualTo(14);
    }

    @Test
    void whatACarrierFindsIsRestoredAroundTheMethodAndUndone() {
        Node server = node(NodeOptions.DEFAULT.withCapacity(1, 8).withInterceptor(new UserCarrier()));
        server.bind("user", (Who) USER::get);
        client = node(NodeOptions.DEFAULT.withInterceptor(new UserCarrier()));
        Who who = client.lookup("user", Who.class);

        USER.set("eve");
        assertThat(who.user()).isEqualTo("eve");
        USER.remove();
        assertThat(who.user()).isNull();
    }

    /** Says what its thread knows. */
    @Remote
    public interface Who {

        String user();
    }

    @Test
    void callsOfAServiceAreNotPrefetchedIfAnInterceptorDoesNotAllowIt() throws Throwable {
        Adder plain = connect(NodeOptions.DEFAULT, NodeOptions.DEFAULT);
        Adder seen = node(NodeOptions.DEFAULT.withInterceptor(new Logging("c"))).lookup("adder", Adder.class);

        assertThat(encode(plain, 1, 2)).isNotNull();
        assertThat(encode(seen, 1, 2)).isNull();
    }

    @Test
    void aPrefetchedCallIsAnotherIfItsThreadHasAnotherContextThen() throws Throwable {
        Adder carried = connect(NodeOptions.DEFAULT, NodeOptions.DEFAULT.withInterceptor(new UserCarrier()));
        USER.set("eve");
        dev.cleave.call.Encoded before = encode(carried, 1, 2);
        assertThat(before.isSameCall(Objects.requireNonNull(encode(carried, 1, 2))))
                .isTrue();
        USER.set("adam");
        assertThat(before.isSameCall(Objects.requireNonNull(encode(carried, 1, 2))))
                .isFalse();
        USER.remove();

        Adder named = Cleave.withAttachments(carried, Map.of("k", "v"));
        assertThat(Objects.requireNonNull(encode(named, 1, 2))
                        .isSameCall(Objects.requireNonNull(encode(carried, 1, 2))))
                .isFalse();
    }

    private static dev.cleave.call.Encoded encode(Adder adder, int a, int b) throws Throwable {
        return (dev.cleave.call.Encoded) adder.getClass()
                .getMethod("addPurely" + Stub.ENCODE_SUFFIX, int.class, int.class)
                .invoke(adder, a, b);
    }

    @Test
    void aClassOfTheFileThatCannotBeUsedIsNamed() {
        NodeOptions missing = NodeOptions.DEFAULT.withBindings(
                Bindings.parse("services: {adder: {interceptors: [com.example.Missing]}}", "cleave.yaml"));
        Node node = node(missing);

        assertThatThrownBy(() -> node.bind("adder", new RealAdder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("services.adder.interceptors: com.example.Missing is not on the class path");
        assertThatThrownBy(() -> NodeOptions.DEFAULT.withInterceptor("text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: a ClientInterceptor, ServerInterceptor or ContextCarrier");
    }
}
