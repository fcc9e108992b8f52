package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;

/** Marks the following ops, up to the next such op, with a source line. */
public final class LineOp extends Op {

    private final int line;

    public LineOp(int line) {
        this.line = line;
    }

    /** Makes one op for a line, none if it is not known. */
    public static List<Op> of(int line) {
        return line < 0 ? List.of() : List.of(new LineOp(line));
    }

    public int line() {
        return line;
    }

    @Override
    public boolean isExecutable() {
        return false;
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new LineOp(line);
    }

    @Override
    public String toString() {
        return "line " + line;
    }
}
