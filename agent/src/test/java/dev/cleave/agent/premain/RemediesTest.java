package dev.cleave.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the report at exit says of words. */
@Tag("one-jdk")
class RemediesTest {

    private final AtomicLong clock = new AtomicLong();

    private Remedies remedies(long step) {
        ClassFileSource files = ClassFileSource.OF_LOADERS;
        Weaver weaver = new Weaver(new RemoteInterfaceIndex(files, CallSettings.NONE), files);
        return new Remedies(weaver, () -> clock.getAndAdd(step));
    }

    private static Findings.Found found(Verdict.Outcome outcome) {
        Refusal refusal = outcome == Verdict.Outcome.SEQUENTIAL ? new Refusal(Rule.R10, 1, "no style", "") : null;
        return new Findings.Found(
                new WeakReference<>(null),
                "p.A",
                Map.of("run()V", List.of(new Verdict(1, "S.f", outcome, 1, refusal))));
    }

    @Test
    void whatTimeDidNotAllowIsSaid() {
        Remedies remedies = remedies(2_000_000_000L);

        assertThat(remedies.of(List.of(found(Verdict.Outcome.SEQUENTIAL), found(Verdict.Outcome.SPLIT))))
                .hasSize(2);

        assertThat(remedies.notes()).hasSize(1);
        assertThat(remedies.notes().get(0)).contains("not looked for in 1 class", "explain");
    }

    @Test
    void nothingIsSaidWhereThereWasTime() {
        Remedies remedies = remedies(1);

        assertThat(remedies.of(List.of(found(Verdict.Outcome.SEQUENTIAL)))).hasSize(1);

        assertThat(remedies.notes()).isEmpty();
    }
}
