package dev.cleave.agent.premain;

import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.transform.ClassRewriter;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Rewrites itself once before the transformer is registered, so that no class of the JDK or the agent is loaded for the
 * first time while another one is being loaded (JDK-8335619).
 */
final class WarmUp {

    private static final String SAMPLE = "dev/cleave/agent/premain/WarmUp";

    private WarmUp() {}

    /** Goes once through all of planning and rewriting. */
    static void run(ClassLoader loader) {
        ClassFiles files = ClassFiles.of(loader);
        byte[] bytes = files.read(SAMPLE);
        if (bytes != null) {
            new ClassRewriter(
                            files,
                            (owner, name, descriptor) ->
                                    owner.equals("java/util/function/IntUnaryOperator") ? CallSetting.async(2) : null)
                    .rewrite(bytes);
        }
    }

    /** What is rewritten: a loop, a row of calls, a handler. */
    static int sample(IntUnaryOperator call, List<Integer> list) {
        int sum = call.applyAsInt(1) + call.applyAsInt(2);
        try {
            for (int value : list) {
                sum += call.applyAsInt(value);
            }
        } catch (IllegalStateException e) {
            sum = -1;
        }
        return sum;
    }
}
