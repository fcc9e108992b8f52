package dev.cleave.agent.ir;

import org.jspecify.annotations.Nullable;

/** A value that is made and used within one basic block only. */
final class BlockValue {

    /** How the value gets from its definition to its uses. */
    enum Placement {
        /** Pushed where it is made, once for each use. */
        STACK,
        /** Made again at each use: a constant, or a load of a local that has not changed. */
        REMADE,
        /** Kept in a JVM local of its own. */
        SLOT
    }

    final Op def;
    final RegisterKind kind;
    final int defIndex;
    int lastUse;
    int uses;
    boolean remakeable;
    Placement placement = Placement.STACK;
    int slot = -1;

    BlockValue(Op def, RegisterKind kind, int defIndex) {
        this.def = def;
        this.kind = kind;
        this.defIndex = defIndex;
    }

    boolean onStack() {
        return placement == Placement.STACK;
    }

    /** Whether an operand is a value that waits on the operand stack. */
    static boolean isOnStack(@Nullable BlockValue value) {
        return value != null && value.onStack();
    }
}
