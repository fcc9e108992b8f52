package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.plan.verdict.Verdict.Outcome;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** R65: for a sequential call the report tells the word on the remote method that would free it. */
@Tag("one-jdk")
class HelpfulWordTest {

    private static List<Verdict> verdicts(String body) {
        Map<String, byte[]> classes = Compiler.compile(Map.of("p.Asks", """
                package p;
                import dev.cleave.*;
                public class Asks {
                    @Remote public interface Plain { int ask(int x); int tell(int x); @Async int quick(int x);
                        void put(int x); int deposit(int x); int getOrCreate(int x); @Async int addTo(int x); }
                    static native boolean seen(int x);
                    static int run(Plain s, int n) {
                        %s
                    }
                }
                """.formatted(body)));
        ClassFileSource files = (loader, name) -> {
            byte[] own = classes.get(name.replace('/', '.'));
            return own != null ? own : ClassFileSource.ofResources(loader, name);
        };
        ClassLoader loader = HelpfulWordTest.class.getClassLoader();
        Weaver weaver = new Weaver(new RemoteInterfaceIndex(files, CallSettings.NONE), files);
        byte[] written = classes.get("p.Asks");
        List<Verdict> all = new ArrayList<>();
        weaver.remedied(loader, written, weaver.weave(loader, written).verdicts())
                .values()
                .forEach(all::addAll);
        return all;
    }

    @Test
    void aLoopOfCallsWithoutAStyle() {
        List<Verdict> verdicts = verdicts("int t = 0; for (int i = 0; i < n; i++) t += s.ask(i); return t;");

        assertThat(verdicts).hasSize(1);
        assertThat(verdicts.get(0).outcome()).isEqualTo(Outcome.SEQUENTIAL);
        assertThat(verdicts.get(0).remedy())
                .isEqualTo(new Remedy("@Async", Outcome.PIPELINED, CallSetting.AUTOMATIC_WINDOW));
    }

    @Test
    void twoMethodsOneOfWhichIsSync() {
        List<Verdict> verdicts = verdicts("return s.quick(1) + s.ask(2);");

        assertThat(verdicts).extracting(Verdict::call).containsExactly("Plain.quick", "Plain.ask");
        assertThat(verdicts.get(1).remedy()).isEqualTo(new Remedy("@Async", Outcome.SPLIT, 1));
    }

    @Test
    void noWordWhereNoneHelps() {
        List<Verdict> verdicts = verdicts("int x = n; for (int i = 0; i < 9; i++) x = s.ask(x) + 1; return x;");

        assertThat(verdicts).hasSize(1);
        assertThat(verdicts.get(0).remedy()).isNull();
    }

    @Test
    void noWordForACallThatIsFreeAlready() {
        assertThat(verdicts("int t = 0; for (int i = 0; i < n; i++) t += s.quick(i); return t;"))
                .allMatch(verdict -> verdict.outcome() == Outcome.PIPELINED && verdict.remedy() == null);
    }

    @Test
    void aMethodWithoutResultIsNeverSaidToRead() {
        assertThat(words("for (int i = 0; i < n; i++) { s.put(i); if (seen(i)) break; } return 0;"))
                .isEmpty();
        assertThat(words("for (int i = 0; i < n; i++) { int a = s.ask(i); if (seen(a)) break; } return 0;"))
                .isNotEmpty();
    }

    @Test
    void aMethodWhoseNameWritesIsNeverSaidToRead() {
        for (String name : List.of("deposit", "getOrCreate", "addTo")) {
            String call = "int a = s." + name + "(i);";
            assertThat(words("for (int i = 0; i < n; i++) { " + call + " if (seen(a)) break; } return 0;"))
                    .doesNotContain("@ReadOnly", "@Pure");
        }
    }

    @Test
    void noWordWhereOneCallAloneWouldBeSentAhead() {
        assertThat(words("return s.ask(n);")).isEmpty();
        assertThat(words("int a = 0; if (n > 2) a = s.ask(n); return a;")).isEmpty();
        assertThat(words("int a = s.ask(n); seen(a); int b = s.ask(a); seen(b); return b;"))
                .isEmpty();
    }

    private static List<String> words(String body) {
        return verdicts(body).stream()
                .map(Verdict::remedy)
                .filter(Objects::nonNull)
                .map(Remedy::word)
                .toList();
    }
}
