package dev.cleave.agent.plan.order;

import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;

/**
 * Checks calls with references as arguments, which may be sent ahead (R9, R50) if their references are all results of calls
 * that are sent with them. A server passes on such a result only if it has the value itself, so that no use of it is seen at
 * the caller before its time.
 *
 * <p>What such calls do with the values keeps the order of the program: two of them are of one stub, so that their server
 * runs them in turn, or the later one is given what the earlier one has made.
 */
public final class ReferringCalls {

    private static final String REFERENCE = "Ldev/cleave/Ref;";

    private final Method method;
    private final PromisePipelining promises;

    /** Looks at the calls of a method. */
    public ReferringCalls(Method method) {
        this.method = method;
        this.promises = new PromisePipelining(method);
    }

    /** Whether a type is that of references to values. */
    static boolean isReference(Type type) {
        return type.getDescriptor().equals(REFERENCE);
    }

    /**
     * Checks calls that are sent with a first one.
     *
     * @param passed for each call that is given results of others, by parameter, the calls whose results they are
     * @param crossed the ops before which they are sent
     */
    public void check(int leader, List<Integer> members, Map<Integer, Map<Integer, Integer>> passed, BitSet crossed)
            throws Refused {
        for (int i = crossed.nextSetBit(0); i >= 0; i = crossed.nextSetBit(i + 1)) {
            if (method.refers(i) && !members.contains(i)) {
                throw method.refused(
                        Rule.R9, i, "the server may call back objects that the call gives it", "give it values");
            }
        }
        for (int i = 0; i < members.size(); i++) {
            int member = members.get(i);
            if (!method.refers(member)) {
                continue;
            }
            Type[] types = Type.getArgumentTypes(method.callOf(member).desc);
            Collection<Integer> given = passed.getOrDefault(member, Map.of()).keySet();
            for (int parameter = 0; parameter < types.length; parameter++) {
                if (isReference(types[parameter]) && !given.contains(parameter)) {
                    throw method.refused(
                            Rule.R9,
                            member,
                            "its reference is not the result of a call that is sent with it",
                            "pass the result of the call before it on as it is");
                }
            }
            for (int earlier : members.subList(0, i)) {
                if (method.refers(earlier)
                        && !promises.isSameStub(earlier, member)
                        && !follows(member, earlier, passed)) {
                    throw method.refused(
                            Rule.R9,
                            member,
                            method.nameOf(earlier) + " of another stub may change what it refers to",
                            "give it what that call returns");
                }
            }
        }
    }

    /** Whether a call is given what another one makes, or what is made of that. */
    private static boolean follows(int call, int earlier, Map<Integer, Map<Integer, Integer>> passed) {
        BitSet seen = new BitSet();
        Deque<Integer> open = new ArrayDeque<>(List.of(call));
        while (!open.isEmpty()) {
            for (int source : passed.getOrDefault(open.remove(), Map.of()).values()) {
                if (source == earlier) {
                    return true;
                }
                if (!seen.get(source)) {
                    seen.set(source);
                    open.add(source);
                }
            }
        }
        return false;
    }
}
