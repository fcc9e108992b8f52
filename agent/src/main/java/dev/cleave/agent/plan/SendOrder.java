package dev.cleave.agent.plan;

import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.BitSet;
import java.util.Collection;

/**
 * What the groups of {@code @Async(group = ...)} forbid (R13, R24): calls of one group are sent in program order, and one
 * that changes something never overlaps one that only reads.
 */
final class SendOrder {

    private final Method method;

    SendOrder(Method method) {
        this.method = method;
    }

    /** Whether two calls must not be in flight together. */
    boolean conflict(int one, int other) {
        return sameGroup(one, other) && reads(one) != reads(other);
    }

    /**
     * Checks that a call may be sent before all that runs ahead of it.
     *
     * @param crossed what runs between the place where it is sent and the call
     * @param sent the calls among these that are sent before it
     */
    void check(int leader, int send, BitSet crossed, Collection<Integer> sent) throws Refused {
        if (conflict(leader, send)) {
            throw refused(leader);
        }
        for (int i = crossed.nextSetBit(0); i >= 0; i = crossed.nextSetBit(i + 1)) {
            if (i != send && method.isCandidate(i) && sameGroup(i, send) && (!sent.contains(i) || conflict(i, send))) {
                throw refused(i);
            }
        }
    }

    private Refused refused(int before) {
        return method.refused(
                "R13",
                before,
                method.nameOf(before) + " of the same group has to come first",
                "give the two methods different groups");
    }

    private boolean sameGroup(int one, int other) {
        String group = groupOf(one);
        return !group.isEmpty() && group.equals(groupOf(other));
    }

    private boolean reads(int call) {
        CallSetting setting = method.setting(call);
        return setting != null && setting.reading().kind() != Reading.Kind.NONE;
    }

    private String groupOf(int call) {
        CallSetting setting = method.setting(call);
        return setting == null ? "" : setting.group();
    }
}
