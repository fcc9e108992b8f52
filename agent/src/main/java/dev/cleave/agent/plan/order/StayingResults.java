package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Finds the results that the program does nothing with but pass them on (R50): they can stay at their servers.
 *
 * <p>The program must have no other use for such a result, not even a cast, certainly come to all calls that it is passed
 * to, and lose nothing if it is not read: only strings and arrays of primitives can be read without code that may throw.
 */
public final class StayingResults {

    /** The most arguments that such a result is for; the head of a request has three bits for them. */
    private static final int MOST_USES = 7;

    private final Method method;

    /** Looks at the calls of a method. */
    public StayingResults(Method method) {
        this.method = method;
    }

    /**
     * The calls whose results can stay, each with the number of arguments that its result is.
     *
     * @param passed for each call that is given results of others, by parameter, the calls whose results they are
     */
    public Map<Integer, Integer> of(Map<Integer, Map<Integer, Integer>> passed) {
        Map<Integer, Integer> uses = new TreeMap<>();
        passed.values().forEach(sources -> sources.values().forEach(source -> uses.merge(source, 1, Integer::sum)));
        Map<Integer, Integer> staying = new HashMap<>();
        uses.forEach((source, arguments) -> {
            if (arguments <= MOST_USES
                    && isPlain(source)
                    && arguments(source, passed) == arguments
                    && passed.entrySet().stream()
                            .filter(each -> each.getValue().containsValue(source))
                            .allMatch(each -> leadsTo(source, each.getKey()))) {
                staying.put(source, arguments);
            }
        });
        return staying;
    }

    private boolean isPlain(int source) {
        Type type = method.op(source) instanceof InsnOp call && call.method() != null
                ? Type.getReturnType(call.method().desc)
                : Type.VOID_TYPE;
        return type.getDescriptor().equals("Ljava/lang/String;")
                || type.getDescriptor().equals("Ldev/cleave/Later$Value;") // its server lets only an array stay
                || type.getSort() == Type.ARRAY && type.getElementType().getSort() < Type.ARRAY;
    }

    /** How many arguments a result is; -1 if it is used otherwise, or is passed to a call that is not given it. */
    private int arguments(int source, Map<Integer, Map<Integer, Integer>> passed) {
        BitSet holding = new BitSet();
        holding.set(source);
        for (boolean grown = true; grown; ) {
            grown = false;
            for (int i = 0; i < method.graph().size(); i++) {
                if (method.op(i) instanceof MoveOp move && !holding.get(i) && holds(i, move.use(), holding)) {
                    holding.set(i);
                    grown = true;
                }
            }
        }
        int found = 0;
        for (int i = 0; i < method.graph().size(); i++) {
            Op op = method.op(i);
            List<Register> operands = op.uses();
            for (int j = 0; j < operands.size() && !(op instanceof MoveOp); j++) {
                if (holds(i, operands.get(j), holding)) {
                    @Nullable Integer given = passed.getOrDefault(i, Map.of()).get(j - 1);
                    if (given == null || given != source) {
                        return -1;
                    }
                    found++;
                }
            }
        }
        return found;
    }

    private boolean holds(int index, Register register, BitSet definitions) {
        Region whole = method.whole();
        return whole.definitions(index, register).intersects(definitions);
    }

    /** Whether the program comes from one call to another unless something is thrown. */
    private boolean leadsTo(int source, int call) {
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(source));
        while (!work.isEmpty()) {
            for (int next : method.graph().next(work.remove())) {
                if (next == source || next < method.graph().size() && method.op(next) instanceof ReturnOp) {
                    return false;
                }
                if (next != call && !seen.get(next)) {
                    seen.set(next);
                    work.add(next);
                }
            }
        }
        return true;
    }
}
