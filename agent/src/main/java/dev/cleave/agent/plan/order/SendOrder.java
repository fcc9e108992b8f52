package dev.cleave.agent.plan.order;

import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.BitSet;
import java.util.Collection;

/**
 * Decides which calls must not be in flight together (R13, R24): calls of one {@code @Async(group = ...)} are sent in
 * program order, and a call that may change something never overlaps one that reads what others change, unless both
 * name groups and these differ. So a program reads its own writes, and no later ones.
 */
public final class SendOrder {

    private final Method method;

    /** Looks at the calls of a method. */
    public SendOrder(Method method) {
        this.method = method;
    }

    /** Whether two calls must not be in flight together. */
    public boolean conflict(int one, int other) {
        return sameGroup(one, other) ? reads(one) != reads(other) : readsWhatChanges(one, other);
    }

    /** Whether one of two calls, which no group keeps in their order, may read what the other one changes. */
    public boolean readsWhatChanges(int one, int other) {
        CallSetting first = method.setting(one);
        CallSetting second = method.setting(other);
        return first != null && second != null && readsWhatChanges(first, second);
    }

    /**
     * Whether a call of one setting may read what a call of another setting changes, and no group keeps their order.
     */
    public static boolean readsWhatChanges(CallSetting one, CallSetting other) {
        Reading.Kind first = one.reading().kind();
        Reading.Kind second = other.reading().kind();
        boolean isPair = first == Reading.Kind.READ_ONLY && second == Reading.Kind.NONE
                || first == Reading.Kind.NONE && second == Reading.Kind.READ_ONLY;
        return isPair && (one.group().isEmpty() || other.group().isEmpty());
    }

    /**
     * Checks that a call may be sent before all that runs ahead of it.
     *
     * @param crossed the ops that run between the place where it is sent and the call
     * @param sent the calls among these that are sent before it
     */
    public void check(int leader, int send, BitSet crossed, Collection<Integer> sent) throws Refused {
        if (conflict(leader, send)) {
            throw refused(leader, send);
        }
        for (int i = crossed.nextSetBit(0); i >= 0; i = crossed.nextSetBit(i + 1)) {
            if (i == send || !method.isCandidate(i)) {
                continue;
            }
            if (conflict(i, send) || sameGroup(i, send) && !sent.contains(i)) {
                throw refused(i, send);
            }
        }
    }

    private Refused refused(int before, int send) {
        if (sameGroup(before, send)) {
            return method.refused(
                    Rule.R13,
                    before,
                    method.nameOf(before) + " of the same group has to come first",
                    "give the two methods different groups");
        }
        return overlap(before, send);
    }

    /** Why one of two calls cannot be sent while the other is in flight. */
    public Refused overlap(int one, int other) {
        boolean isReader = reads(one);
        return method.refused(
                Rule.R24,
                one,
                method.nameOf(isReader ? other : one) + " may change what " + method.nameOf(isReader ? one : other)
                        + " reads",
                groupsApart(one, other));
    }

    /** Returns the advice to give two calls different groups, with the groups that they have now. */
    public String groupsApart(int one, int other) {
        return "if they have nothing to do with each other give both a group, @Async(group = ...), and different ones: "
                + groupText(one) + ", " + groupText(other);
    }

    private String groupText(int call) {
        String group = groupOf(call);
        return method.nameOf(call) + " has " + (group.isEmpty() ? "none" : '"' + group + '"');
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
