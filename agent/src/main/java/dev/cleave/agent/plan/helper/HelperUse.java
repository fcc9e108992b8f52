package dev.cleave.agent.plan.helper;

import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodNode;

/**
 * How a caller of a helper places the calls in the helper; the report says the same of those calls.
 *
 * @param type the binary name of the helper's class
 * @param method its name and descriptor
 * @param how how the calls are sent ahead, null if they are not
 * @param calls the calls that are meant, none for all calls of the helper
 * @param why why the calls are not sent ahead, null if they are
 */
public record HelperUse(
        String type,
        String method,
        @Nullable Verdict how,
        List<ReadCall> calls,
        @Nullable Refusal why) {

    /** Rules that keep a call from moving wherever it stands: how it is used does not matter. */
    private static final Set<Rule> IMMOVABLE = EnumSet.of(Rule.R1, Rule.R9, Rule.R51, Rule.R52, Rule.R70);

    /** Copies the list. */
    public HelperUse {
        calls = List.copyOf(calls);
    }

    /** Returns the use of a caller that sends ahead all calls of a helper. */
    public static HelperUse of(Helper helper, Verdict how) {
        return new HelperUse(
                typeOf(helper.body().owner()), methodOf(helper.body().original()), how, List.of(), null);
    }

    /** Returns the use of a caller whose strands send calls of a helper. */
    public static HelperUse of(String owner, MethodNode helper, List<ReadCall> calls, Verdict how) {
        return new HelperUse(typeOf(owner), methodOf(helper), how, calls, null);
    }

    /** Returns the use of a caller that prefetches calls of a helper. */
    public static HelperUse of(PrefetchHelper helper, Verdict how) {
        return new HelperUse(
                typeOf(helper.body().owner()), methodOf(helper.body().original()), how, helper.calls(), null);
    }

    /** Returns the use with the wider window of two that send calls ahead. */
    public static HelperUse wider(HelperUse a, HelperUse b) {
        return window(a) >= window(b) ? a : b;
    }

    private static int window(HelperUse use) {
        return use.how == null ? 0 : use.how.window();
    }

    private static String typeOf(String internalName) {
        return internalName.replace('/', '.');
    }

    private static String methodOf(MethodNode method) {
        return method.name + method.desc;
    }

    /** Returns the verdict on a call of the helper, given its verdict without this use. */
    public Verdict on(Verdict own) {
        if (how != null) {
            boolean isMeant = calls.isEmpty()
                    || calls.stream()
                            .anyMatch(call ->
                                    call.line() == own.line() && call.method().equals(own.call()));
            return isMeant
                    ? new Verdict(
                            own.line(),
                            own.call(),
                            how.outcome(),
                            how.window(),
                            null,
                            null,
                            own.isHelpers(),
                            own.overlap())
                    : own;
        }
        return why != null && mayMove(own.refusal())
                ? new Verdict(own.line(), own.call(), own.outcome(), 1, why.line() < 0 ? why.at(own.line()) : why)
                : own;
    }

    private static boolean mayMove(@Nullable Refusal refusal) {
        return refusal != null && !IMMOVABLE.contains(refusal.rule()) && !refusal.isWithoutStyle();
    }
}
