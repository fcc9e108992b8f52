package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Async;
import dev.cleave.Idempotent;
import dev.cleave.Later;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.Sync;
import dev.cleave.config.Bindings;
import dev.cleave.config.ConfigException;
import dev.cleave.config.Style;
import java.io.InputStream;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InterfaceReaderTest {

    private final InterfaceReader reader = new InterfaceReader(Bindings.NONE);

    @Remote
    @Async(window = 8)
    interface Styles {
        void inherited();

        @Sync
        void sync();

        @Async(window = 32)
        void own();

        @Idempotent
        void again();

        @Pure
        int pure(int x);

        default int local() {
            return 1;
        }

        @Override
        String toString();
    }

    @Remote
    @Async
    interface Unbounded {
        void inherited();
    }

    interface Plain {}

    @Remote
    interface WithThread {
        void run(String name, Thread thread);
    }

    @Remote
    interface WithStream {
        InputStream open();
    }

    record Holder(List<Runnable> tasks) {}

    @Remote
    interface WithDeepMistake {
        void run(Holder holder);
    }

    @Remote
    interface Clash {
        void m();

        void m$send();
    }

    interface Rmi extends java.rmi.Remote {
        void a() throws RemoteException;

        void b() throws java.io.IOException;
    }

    @Remote
    interface Generic<T> {
        T get(T value);
    }

    @Remote
    interface Text extends Generic<String> {
        @Override
        String get(String value);
    }

    private RemoteMethod method(Class<?> type, String name) {
        return method(reader.read("s", type), name);
    }

    private static RemoteMethod method(RemoteInterface contract, String name) {
        return contract.methods().stream()
                .filter(m -> m.method().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Remote
    interface WithLaterNumber {
        @Later
        int count();
    }

    @Remote
    interface WithLaterFuture {
        CompletableFuture<Later.Value<int[]>> soon();
    }

    @Test
    void readsStylesOfInterfaceAndMethod() {
        assertThat(method(Styles.class, "inherited").conduct())
                .isEqualTo(new RemoteMethod.Conduct(Style.ASYNC, 8, false, Duration.ofSeconds(30)));
        assertThat(method(Styles.class, "sync").conduct().style()).isEqualTo(Style.SYNC);
        assertThat(method(Styles.class, "own").conduct().window()).isEqualTo(32);
        assertThat(method(Unbounded.class, "inherited").conduct().window())
                .as("without a number")
                .isEqualTo(RemoteMethod.Conduct.AUTOMATIC_WINDOW);
        assertThat(method(Styles.class, "again").conduct().idempotent()).isTrue();
        assertThat(method(Styles.class, "pure").conduct().idempotent()).isTrue();
    }

    @Test
    void leavesDefaultAndObjectMethodsOut() {
        assertThat(reader.read("s", Styles.class).keys())
                .containsExactly("again()V", "inherited()V", "own()V", "pure(I)I", "sync()V");
    }

    @Test
    void theFileGoesBeforeTheAnnotation() {
        Bindings file = Bindings.parse(
                "services: {s: {style: sync, methods: {own: {window: 4, style: async, deadline: 5s}}}}", "cleave.yaml");

        RemoteInterface contract = new InterfaceReader(file).read("s", Styles.class);

        assertThat(method(contract, "own").conduct())
                .isEqualTo(new RemoteMethod.Conduct(Style.ASYNC, 4, false, Duration.ofSeconds(5)));
        assertThat(method(contract, "inherited").conduct().style()).isEqualTo(Style.SYNC);
    }

    @Test
    void theFileCannotMakeAMethodIdempotentButCanForbidIt() {
        RemoteInterface wider = new InterfaceReader(Bindings.parse(
                        "services: {s: {idempotent: true, methods: {own: {pure: true}}}}", "cleave.yaml"))
                .read("s", Styles.class);
        RemoteInterface narrower = new InterfaceReader(
                        Bindings.parse("services: {s: {idempotent: false}}", "cleave.yaml"))
                .read("s", Styles.class);

        assertThat(method(wider, "own").conduct().idempotent()).isFalse();
        assertThat(method(wider, "inherited").conduct().idempotent()).isFalse();
        assertThat(method(wider, "again").conduct().idempotent()).isTrue();
        assertThat(method(narrower, "again").conduct().idempotent()).isFalse();
    }

    @Test
    void unknownMethodsInTheFileAreErrors() {
        Bindings file = Bindings.parse("services: {s: {methods: {owm: {window: 4}}}}", "cleave.yaml");

        assertThatThrownBy(() -> new InterfaceReader(file).read("s", Styles.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("owm");
    }

    @Test
    void namesMistakesByMethodAndParameter() {
        assertThatThrownBy(() -> reader.read("s", String.class)).hasMessage("java.lang.String is not an interface");
        assertThatThrownBy(() -> reader.read("s", Plain.class))
                .hasMessageEndingWith("Plain is not a remote interface (annotate it with @dev.cleave.Remote)");
        assertThatThrownBy(() -> reader.read("s", WithThread.class))
                .hasMessage("WithThread.run: parameter 2 (thread): java.lang.Thread is not a value and cannot be sent");
        assertThatThrownBy(() -> reader.read("s", WithStream.class))
                .hasMessage("WithStream.open: the result: java.io.InputStream is not a value and cannot be sent");
        assertThatThrownBy(() -> reader.read("s", WithDeepMistake.class))
                .hasMessage(
                        "WithDeepMistake.run: parameter 1 (holder) -> Holder.tasks: java.lang.Runnable is not a value"
                                + " and cannot be sent");
        assertThatThrownBy(() -> reader.read("s", Clash.class)).hasMessageContaining("Clash.m$send");
        assertThatThrownBy(() -> reader.read("s", WithLaterNumber.class))
                .hasMessage(
                        "WithLaterNumber.count: the result is int and cannot come later (expected: an array or object)");
        assertThatThrownBy(() -> reader.read("s", WithLaterFuture.class))
                .hasMessage(
                        "WithLaterFuture.soon: the result: a future of a later value (expected: the later value itself)");
    }

    @Test
    void acceptsInterfacesOfRmi() {
        assertThat(method(Rmi.class, "a").declaresRemoteException()).isTrue();
        assertThat(method(Rmi.class, "b").declaresRemoteException()).isTrue();
    }

    @Test
    void bridgesOfGenericInterfacesAreLocal() {
        assertThat(reader.read("s", Text.class).keys()).containsExactly("get(Ljava/lang/String;)Ljava/lang/String;");
    }
}
