package dev.cleave.agent.ir;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A clone of some ops of a body: labels of the region are new, registers are mapped, handler ranges are repeated.
 *
 * <p>The clone is not yet part of the body: place {@link #ops()} in the list, then call {@link #addHandlers()}. The
 * last op of the region may fall through to the next op of the body; code that places the clone must handle that.
 */
public final class RegionCopy {

    private final MethodBody body;
    private final List<Op> ops = new ArrayList<>();
    private final Map<Op, Op> clones = new IdentityHashMap<>();
    private final Map<LabelOp, LabelOp> labels = new IdentityHashMap<>();
    private final List<Handler> sources = new ArrayList<>();
    private final List<Handler> copies = new ArrayList<>();

    private RegionCopy(MethodBody body) {
        this.body = body;
    }

    /**
     * Clones ops.
     *
     * @param region ops of the body, in list order
     * @param registers the register to use in the clone for each register
     * @param outside the target in the clone for a label that is not part of the region
     */
    public static RegionCopy of(
            MethodBody body,
            List<? extends Op> region,
            UnaryOperator<Register> registers,
            UnaryOperator<LabelOp> outside) {
        RegionCopy copy = new RegionCopy(body);
        for (Op op : region) {
            if (op instanceof LabelOp label) {
                copy.labels.put(label, body.label());
            }
        }
        UnaryOperator<LabelOp> labels = label -> {
            LabelOp mapped = copy.labels.get(label);
            return mapped != null ? mapped : outside.apply(label);
        };
        for (Op op : region) {
            Op clone = op.copy(registers, registers, labels);
            copy.ops.add(clone);
            copy.clones.put(op, clone);
        }
        for (Handler handler : body.handlers()) {
            copy.repeat(handler, region, labels);
        }
        return copy;
    }

    /** The clones in order, with labels where repeated handler ranges begin and end. */
    public List<Op> ops() {
        return ops;
    }

    /** The clone of an op of the region, null if it was not in the region. */
    public @Nullable Op cloneOf(Op op) {
        return clones.get(op);
    }

    /** The label that stands for a label of the region in the clone, null for others. */
    public @Nullable LabelOp labelOf(LabelOp label) {
        return labels.get(label);
    }

    /** Adds the repeated ranges to the exception table, each right after the row that it repeats. */
    public void addHandlers() {
        List<Handler> table = new ArrayList<>();
        for (Handler handler : body.handlers()) {
            table.add(handler);
            for (int i = 0; i < sources.size(); i++) {
                if (sources.get(i) == handler) {
                    table.add(copies.get(i));
                }
            }
        }
        body.setHandlers(table);
    }

    private void repeat(Handler handler, List<? extends Op> region, UnaryOperator<LabelOp> outside) {
        int start = body.indexOf(handler.start());
        int end = body.indexOf(handler.end());
        @Nullable LabelOp open = null;
        for (Op op : region) {
            int index = body.indexOf(op);
            boolean covered = start < index && index < end;
            if (covered && open == null) {
                open = body.label();
                ops.add(ops.indexOf(clones.get(op)), open);
            } else if (!covered && open != null) {
                LabelOp close = body.label();
                ops.add(ops.indexOf(clones.get(op)), close);
                add(handler, open, close, outside);
                open = null;
            }
        }
        if (open != null) {
            LabelOp close = body.label();
            ops.add(close);
            add(handler, open, close, outside);
        }
    }

    private void add(Handler handler, LabelOp open, LabelOp close, UnaryOperator<LabelOp> outside) {
        sources.add(handler);
        copies.add(new Handler(open, close, outside.apply(handler.target()), handler.type()));
    }
}
