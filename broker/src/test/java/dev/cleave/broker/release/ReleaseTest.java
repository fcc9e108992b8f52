package dev.cleave.broker.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Brokers, servers and clients of the last release and of the build understand each other, in every combination. */
@Timeout(120)
@Tag("one-jdk")
class ReleaseTest {

    private static final Release LAST = new Release(Path.of("src/test/fixtures/release-c3f15194.jar.gz"));

    private static final String STORY = """
            add 42
            echoes 182
            crate Crate[label=outer, numbers=[1, 2, 2], inside={inner=Crate[label=inner, numbers=[1, 2], inside={}]}]
            scaled 200000 0.0
            sum 300000
            failed on purpose
            noted 45
            watched 43
            it is soon
            attached acme
            late
            services 2""";

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @ParameterizedTest(name = "{0} broker, {1} server, {2} client")
    @CsvSource({
        "old, old, new", "old, new, old", "new, old, old",
        "old, new, new", "new, old, new", "new, new, old",
        "old, old, old"
    })
    void theyDoTheSame(String broker, String server, String client) throws Exception {
        String url = party(broker).apply("broker");
        party(server).apply("serve " + url + " harvey");
        UnaryOperator<String> caller = party(client);

        assertThat(caller.apply("call " + url + " direct")).isEqualTo(STORY);
        assertThat(caller.apply("call " + url + " relayed")).isEqualTo(STORY);
    }

    /** A rolling upgrade, there and back: replicas of both releases serve, and one after the other leaves. */
    @Test
    void replicasOfBothTakeTheirTurns() throws Exception {
        String url = party("new").apply("broker");
        UnaryOperator<String> old = party("old");
        old.apply("serve " + url + " harvey");
        UnaryOperator<String> next = party("new");
        next.apply("serve " + url + " bugs");

        assertThat(party("new").apply("count " + url + " direct")).isEqualTo("200");
        assertThat(party("old").apply("count " + url + " relayed")).isEqualTo("200");
        old.apply("drain");
        assertThat(party("old").apply("count " + url + " direct")).isEqualTo("200");
        assertThat(party("new").apply("count " + url + " relayed")).isEqualTo("200");
    }

    @SuppressWarnings("unchecked")
    private UnaryOperator<String> party(String release) throws ReflectiveOperationException {
        ClassLoader loader = release.equals("old") ? LAST : Party.class.getClassLoader();
        Object made = Class.forName(Party.class.getName(), true, loader)
                .getConstructor()
                .newInstance();
        assertThat(made.getClass().getClassLoader()).isSameAs(loader);
        open.add((AutoCloseable) made);
        return (UnaryOperator<String>) made;
    }
}
