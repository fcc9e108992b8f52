package dev.cleave.agent.fuzz;

import dev.cleave.call.Chain;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One chain at the {@link ScriptedServer}: executes in order, and nothing behind the first failure. */
final class ScriptedLane {

    private final Chain chain;
    private final Random schedule;
    private final List<ScriptedCall> calls = new ArrayList<>();
    private int executed;
    private boolean broken;

    ScriptedLane(Chain chain, Random schedule) {
        this.chain = chain;
        this.schedule = schedule;
    }

    boolean isOf(ScriptedCall call) {
        return calls.contains(call);
    }

    void add(ScriptedCall call) {
        if (broken && !chain.isBroken() && calls.stream().allMatch(ScriptedCall::isOver)) {
            calls.clear();
            executed = 0;
            broken = false;
        }
        call.enter(this);
        calls.add(call);
        for (int turns = schedule.nextInt(4); turns > 0 && !broken && executed < calls.size(); turns--) {
            next();
        }
    }

    /** Executes what comes before a call, and the call; not if the chain breaks first. */
    void execute(ScriptedCall call) {
        while (!broken && !call.isDone() && executed < calls.size()) {
            next();
        }
    }

    /** Nothing more is executed; the client may learn of it late, but before the failed call is answered. */
    void breakOff() {
        broken = true;
        chain.breakOff();
    }

    boolean isBroken() {
        return broken;
    }

    private void next() {
        ScriptedCall call = calls.get(executed++);
        if (call.lacksResult(schedule)) {
            breakOff();
            return;
        }
        call.executeNow();
        if (call.hasFailed()) {
            broken = true;
            if (schedule.nextBoolean()) {
                chain.breakOff();
            }
        }
    }
}
