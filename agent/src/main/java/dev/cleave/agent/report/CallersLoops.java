package dev.cleave.agent.report;

import dev.cleave.agent.plan.MethodPlanner;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.LoopCall;
import dev.cleave.agent.scan.ProgramTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names the loop of another class that reaches a call through an interface or a superclass: the planner does not
 * resolve such calls, so the verdict could only say that the call is alone in its method.
 */
public final class CallersLoops {

    private CallersLoops() {}

    /** Whether a verdict only says that the call is alone, or has no call style. */
    public static boolean mayConcern(Verdict verdict) {
        Refusal refusal = verdict.refusal();
        return refusal != null && (isAlone(refusal) || refusal.isWithoutStyle());
    }

    /** Returns the verdicts on a class, by name and descriptor of the method, with the loops that reach its calls. */
    public static Map<String, List<Verdict>> on(
            String type, Map<String, List<Verdict>> verdicts, ProgramTypes program) {
        Map<String, List<Verdict>> all = new LinkedHashMap<>(verdicts);
        all.replaceAll((method, own) -> {
            LoopCall loop = own.stream().anyMatch(CallersLoops::mayConcern)
                    ? program.callInLoop(type.replace('.', '/'), method)
                    : null;
            return loop == null
                    ? own
                    : own.stream()
                            .map(verdict -> named(verdict, type, method, loop))
                            .toList();
        });
        return all;
    }

    private static Verdict named(Verdict own, String type, String method, LoopCall loop) {
        Refusal refusal = own.refusal();
        return refusal == null || !mayConcern(own)
                ? own
                : own.with(named(refusal, type, method.substring(0, method.indexOf('(')), loop));
    }

    private static Refusal named(Refusal refusal, String type, String method, LoopCall loop) {
        String name = simple(type);
        String calls =
                loop.place() + " calls " + name + "." + method + " through " + simple(loop.owner()) + " in a loop";
        String free = "let the variable there have the type " + name + ": calls through " + simple(loop.owner())
                + " are not followed";
        return refusal.isWithoutStyle()
                ? new Refusal(
                        refusal.rule(),
                        refusal.line(),
                        refusal.reason() + ", and " + calls,
                        Refusal.ADD_STYLE + "; then " + free)
                : new Refusal(refusal.rule(), refusal.line(), calls, free);
    }

    private static boolean isAlone(Refusal refusal) {
        return refusal.reason().equals(MethodPlanner.ALONE);
    }

    private static String simple(String name) {
        return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1)
                .replace('$', '.');
    }
}
