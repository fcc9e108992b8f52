package dev.cleave.agent.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Compiled;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class CorpusToolTest {

    private final StringWriter out = new StringWriter();

    @TempDir
    Path folder;

    /**
     * A remote interface; a class whose loops can be sent ahead, and one whose loop cannot; an interface of the program, which
     * one class implements, and that class, which calls itself through it.
     */
    private static final String PROGRAM = """
            package shop;

            interface Prices {
                int of(int item);
            }

            interface Stock {
                int price(int item);
            }

            final class Codes {
                static int of(int item) {
                    return item * 31 + 7;
                }
            }

            final class Shelf implements Stock {
                private final Prices prices;
                private final Stock[] inside;

                Shelf(Prices prices, Stock[] inside) {
                    this.prices = prices;
                    this.inside = inside;
                }

                public int price(int item) {
                    int sum = 0;
                    for (Stock each : inside) {
                        sum = sum * 3 + each.price(item);
                    }
                    return sum + prices.of(item);
                }
            }

            final class Shop {
                static int independent(Prices prices, int[] items) {
                    int sum = 0;
                    for (int item : items) {
                        sum += prices.of(item);
                    }
                    return sum;
                }

                static int behindAClass(Prices prices, int[] items) {
                    int sum = 0;
                    for (int item : items) {
                        sum += prices.of(Codes.of(item));
                    }
                    return sum;
                }

                static int layered(Stock stock, int[] items) {
                    int sum = 0;
                    for (int item : items) {
                        sum += stock.price(item);
                    }
                    return sum;
                }

                static int dependent(Prices prices, int item) {
                    while (item > 0) {
                        item = prices.of(item);
                    }
                    return item;
                }
            }
            """;

    @Test
    void countsCallsLinksAllClassesAndWritesRecords() throws IOException {
        Path jar = jar();
        Path json = folder.resolve("out.json");

        assertThat(run(jar, List.of(), json)).isTrue();

        assertThat(out.toString())
                .contains("in loops: 5, 4 overlap (80 %)")
                .contains("depend on no result by locals: 4, 4 overlap (100 %)")
                .contains("5 classes linked, 0 fail only when rewritten")
                .contains("implemented interfaces followed: 4 calls, 2 overlap, 2 classes changed")
                .contains("failures of the rewriting: 0");
        assertThat(Files.readString(json)).contains("\"independent-overlapping\"");
    }

    @Test
    void takesOnlyTheInterfacesThatAreAskedFor() throws IOException {
        run(jar(), List.of("no.such."), null);

        assertThat(out.toString()).contains("calls taken as @async: 0");
    }

    /** Exceptions and errors end the planning of a class: the agent would leave such classes as they are and tell of the first alone. */
    @Test
    void countsAndNamesClassesWhosePlanningFails() throws IOException {
        CorpusJar jar = CorpusJar.read(jar());
        for (Throwable planted : List.of(new StackOverflowError(), new LinkageError("planted"))) {
            Corpus corpus = new Corpus(List.of(jar), Way.FOLLOWED, (owner, name, descriptor) -> {
                if (owner.equals("shop/Prices")) {
                    CorpusToolTest.<RuntimeException>fail(planted);
                }
                return null;
            });
            Tally tally = corpus.rewrite(jar, folder.resolve("woven.jar"));
            Tally none = new Tally();

            assertThat(tally.classes()).isEqualTo(5);
            assertThat(tally.failures())
                    .hasSize(2)
                    .allMatch(failure -> failure.startsWith("shop.jar: shop/"))
                    .anyMatch(failure -> failure.endsWith("Shop (implemented interfaces followed): " + planted))
                    .anyMatch(failure -> failure.endsWith("Shelf (implemented interfaces followed): " + planted));
            for (CorpusReport report : List.of(
                    new CorpusReport(1, "async", tally, none, List.of()),
                    new CorpusReport(1, "async", none, tally, List.of()))) {
                assertThat(report.isClean()).isFalse();
                assertThat(report.text())
                        .contains("failures of the rewriting: 2")
                        .contains("Shop (implemented");
                assertThat(report.json()).containsPattern("\"rewriting-failures\",\\s*\"value\":\\s*2");
            }
        }
    }

    @SuppressWarnings("unchecked") // so that it throws errors and exceptions alike
    private static <T extends Throwable> void fail(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void saysWhatIsWrongWithAPath() {
        assertThatThrownBy(() -> run(folder.resolve("none"), List.of(), null)).hasMessageContaining("no such file");
        assertThatThrownBy(() -> run(folder, List.of(), null)).hasMessageContaining("jars: none in");
    }

    private boolean run(Path path, List<String> prefixes, @Nullable Path json) throws IOException {
        List<Path> jdks = List.of(Path.of(System.getProperty("java.home")));
        return CorpusTool.run(new PrintWriter(out, true), List.of(path), "async", prefixes, json, jdks, 1);
    }

    private Path jar() {
        return Compiled.of(folder.resolve("classes"), PROGRAM).jar(folder.resolve("shop.jar"));
    }
}
