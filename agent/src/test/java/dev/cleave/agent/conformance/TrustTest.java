package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.plan.verdict.Verdict.Outcome;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.FileSettings;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.testing.EffectOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R43: what the application file says about code that the agent cannot see through. */
@EffectOf({"benign", "pure"})
class TrustTest {

    private static final ClassLoader LOADER = TrustTest.class.getClassLoader();

    @TempDir
    Path folder;

    private Verdict verdict(String config, String loop) throws IOException {
        Map<String, byte[]> classes = Compiler.compile(Map.of("p.Asks", """
                package p;
                import dev.cleave.*;
                public class Asks {
                    @Remote public interface Far { @Async int ask(int x); }
                    public interface Audit { void log(int x); int key(int x); }
                    static int run(Far s, Audit audit, int n) {
                        int t = 0;
                        for (int i = 0; i < n; i++) { %s }
                        return t;
                    }
                }
                """.formatted(loop), "org.slf4j.MDC", """
                package org.slf4j;
                public class MDC {
                    public interface Adapter { void put(String key, String value); }
                    static Adapter adapter;
                    public static void put(String key, String value) { adapter.put(key, value); }
                }
                """));
        ClassFileSource files = (loader, name) -> {
            byte[] own = classes.get(name.replace('/', '.'));
            return own != null ? own : ClassFileSource.ofResources(loader, name);
        };
        Path file = Files.writeString(folder.resolve("cleave.yaml"), config);
        Weaver weaver = new Weaver(new RemoteInterfaceIndex(files, FileSettings.read(file.toString(), LOADER)), files);
        List<Verdict> all = new ArrayList<>();
        weaver.weave(LOADER, classes.get("p.Asks")).verdicts().values().forEach(all::addAll);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static final String SETS_CONTEXT = "t += s.ask(i); org.slf4j.MDC.put(\"k\", \"v\");";
    private static final String LOGS = "t += s.ask(i); audit.log(t);";
    private static final String COMPUTES = "t += s.ask(audit.key(i));";

    @Test
    void unknownCodeIsABarrier() throws IOException {
        assertThat(verdict("application: a", LOGS).outcome()).isEqualTo(Outcome.SEQUENTIAL);
        assertThat(verdict("application: a", COMPUTES).outcome()).isEqualTo(Outcome.SEQUENTIAL);
    }

    @Test
    void callsAreSentAcrossBenignCode() throws IOException {
        for (String name : List.of("p", "p.Asks", "p.Asks.Audit", "p.Asks$Audit.log")) {
            assertThat(verdict("benign: [" + name + "]", LOGS).outcome())
                    .as(name)
                    .isEqualTo(Outcome.PIPELINED);
        }
        for (String name : List.of("q", "p.Ask", "p.Asks.Audit.key", "Audit")) {
            assertThat(verdict("benign: [" + name + "]", LOGS).outcome())
                    .as(name)
                    .isEqualTo(Outcome.SEQUENTIAL);
        }
    }

    @Test
    void aLoggingLibraryIsBenignButNotTheContextThatTravelsWithCalls() throws IOException {
        for (String name : List.of("org", "org.slf4j")) {
            assertThat(verdict("benign: [" + name + "]", SETS_CONTEXT).outcome())
                    .as(name)
                    .isEqualTo(Outcome.SEQUENTIAL);
        }
        for (String name : List.of("org.slf4j.MDC", "org.slf4j.MDC.put")) {
            assertThat(verdict("benign: [" + name + "]", SETS_CONTEXT).outcome())
                    .as(name)
                    .isEqualTo(Outcome.PIPELINED);
        }
    }

    @Test
    void benignCodeDoesNotRunAhead() throws IOException {
        Verdict verdict = verdict("benign: [p.Asks.Audit]", COMPUTES);

        assertThat(verdict.outcome()).isEqualTo(Outcome.SEQUENTIAL);
        assertThat(verdict.refusal().rule()).isEqualTo(Rule.R31);
    }

    @Test
    void pureCodeComputesArgumentsAhead() throws IOException {
        assertThat(verdict("pure: [p.Asks.Audit.key]", COMPUTES).outcome()).isEqualTo(Outcome.PIPELINED);
        assertThat(verdict("pure: [p.Asks.Audit]", LOGS).outcome()).isEqualTo(Outcome.PIPELINED);
    }
}
