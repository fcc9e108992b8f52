package dev.cleave.agent.junit;

import dev.cleave.agent.junit.CallLog.Call;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.premain.RunningSites;
import dev.cleave.agent.report.SiteFigures;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.FileSettings;
import dev.cleave.agent.transform.Weaver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The two ways of one test, and what is known of the first when the second ends. */
final class PairedRuns {

    private static final String CONFIG = "cleave.config";

    private final BothWays wanted;
    private final ClassLoader parent;
    private final RemoteInterfaceIndex index;
    private @Nullable Evidence written;
    private long sendsBefore;

    PairedRuns(BothWays wanted, ClassLoader parent) {
        this.wanted = wanted;
        this.parent = parent;
        String config = System.getProperty(CONFIG);
        index = RemoteInterfaceIndex.ofLoaders(config == null ? CallSettings.NONE : FileSettings.read(config, parent));
    }

    ProgramLoader loader(Way way) {
        return new ProgramLoader(
                way, new Weaver(index, ClassFileSource::ofResources), List.of(wanted.packages()), parent);
    }

    /** Called before a way begins. */
    void begins() {
        sendsBefore = sends();
    }

    private long sends() {
        return RunningSites.figures(parent).stream()
                .mapToLong(SiteFigures::sends)
                .sum();
    }

    /** Called when a way has ended without a failure. */
    void ended(Way way, Evidence evidence, ProgramLoader loader) {
        if (way == Way.AS_WRITTEN) {
            written = evidence;
            return;
        }
        List<Verdict> verdicts = loader.verdicts();
        if (!wanted.mayStaySequential() && sends() == sendsBefore) {
            throw new AssertionError("nothing to compare: no remote call was sent ahead "
                    + (verdicts.isEmpty() ? "(none was found in the classes that the test loads)" : verdicts.toString())
                    + "; @BothWays(mayStaySequential = true) accepts that");
        }
        if (written == null) {
            return; // the first way failed, or was not run
        }
        List<String> differences =
                new Comparison(call -> setting(loader, call), wanted.mayThrow()).of(written, evidence);
        if (!differences.isEmpty()) {
            throw new AssertionError("the rewritten program differs:\n  " + String.join("\n  ", differences)
                    + "\nwhat became of its calls: " + verdicts);
        }
    }

    private CallSetting setting(ClassLoader loader, Call call) {
        CallSetting setting = index.call(loader, call.owner(), call.method(), call.descriptor());
        return setting == null ? CallSetting.SYNC : setting;
    }
}
