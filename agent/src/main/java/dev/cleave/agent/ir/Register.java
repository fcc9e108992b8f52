package dev.cleave.agent.ir;

/**
 * A named value holder of one method and one {@link RegisterKind}; compared by identity.
 *
 * <p>Made by {@link MethodBody} only: {@link MethodBody#local}, {@link MethodBody#stack}, {@link MethodBody#fresh}.
 */
public final class Register {

    /** The origin of a register. */
    public enum Role {
        /** A JVM local of the original method; it keeps its slot. One slot used with two kinds is two registers. */
        LOCAL,
        /** A word of the operand stack that stays there across the border of a basic block. */
        STACK,
        /** All other values: those that live inside one block, and those that rewriters add. */
        TEMPORARY
    }

    private final int number;
    private final Role role;
    private final RegisterKind kind;
    private final int position;

    Register(int number, Role role, RegisterKind kind, int position) {
        this.number = number;
        this.role = role;
        this.kind = kind;
        this.position = position;
    }

    /** The dense number of this register within its method, from 0; fit for bit sets. */
    public int number() {
        return number;
    }

    public Role role() {
        return role;
    }

    public RegisterKind kind() {
        return kind;
    }

    /** Whether this is a JVM local of the original method. */
    public boolean isLocal() {
        return role == Role.LOCAL;
    }

    /** The JVM slot of a local, the depth of a stack word (0 is the bottom), the serial number of a temporary. */
    public int position() {
        return position;
    }

    /** Whether writing one of the two locals changes the other, because they share a JVM slot. */
    public boolean overlaps(Register other) {
        if (this == other) {
            return true;
        }
        return isLocal()
                && other.isLocal()
                && position < other.position + other.kind.size()
                && other.position < position + kind.size();
    }

    /** {@code l3I} for a local, {@code s0A} for a stack word, {@code t7J} for a temporary. */
    @Override
    public String toString() {
        char prefix =
                switch (role) {
                    case LOCAL -> 'l';
                    case STACK -> 's';
                    case TEMPORARY -> 't';
                };
        return String.valueOf(prefix) + position + kind.letter();
    }
}
