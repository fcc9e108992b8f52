package dev.cleave.agent.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Goes to one of several labels by the value of an int register. */
public final class SwitchOp extends Op {

    private final Register use;
    private final LabelOp otherwise;
    private final List<Integer> keys;
    private final List<LabelOp> cases;

    /**
     * Makes a switch.
     *
     * @param otherwise the target for any value that is not a key
     * @param keys strictly ascending
     * @param cases the target for each key
     */
    public SwitchOp(Register use, LabelOp otherwise, List<Integer> keys, List<LabelOp> cases) {
        if (keys.size() != cases.size()) {
            throw new IllegalArgumentException("cases: " + cases.size() + " (expected: " + keys.size() + ")");
        }
        this.use = use;
        this.otherwise = otherwise;
        this.keys = List.copyOf(keys);
        this.cases = List.copyOf(cases);
    }

    public LabelOp otherwise() {
        return otherwise;
    }

    public List<Integer> keys() {
        return keys;
    }

    public List<LabelOp> cases() {
        return cases;
    }

    @Override
    public List<Register> uses() {
        return List.of(use);
    }

    @Override
    public List<LabelOp> targets() {
        List<LabelOp> targets = new ArrayList<>(cases.size() + 1);
        targets.add(otherwise);
        targets.addAll(cases);
        return targets;
    }

    @Override
    public boolean fallsThrough() {
        return false;
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new SwitchOp(
                uses.apply(use),
                labels.apply(otherwise),
                keys,
                cases.stream().map(labels).toList());
    }

    @Override
    public String toString() {
        return "switch " + use + " " + keys + " -> " + cases + " else " + otherwise;
    }
}
