package dev.cleave.agent.dataflow;

import org.objectweb.asm.Opcodes;

/** The arithmetic of counting loops: whether a counter must pass its limit, and does so before it overflows. */
final class Counting {

    /** The greatest length of an array in a JVM, and so of a string. */
    static final long LONGEST = Integer.MAX_VALUE - 2L;

    /** All values of an int. */
    static final Range ANY = new Range(Integer.MIN_VALUE, Integer.MAX_VALUE);

    private Counting() {}

    /** A range of ints, both ends included. */
    record Range(long least, long most) {

        static Range of(long value) {
            return new Range(value, value);
        }

        Range plus(Range other) {
            return fitting(new Range(least + other.least, most + other.most));
        }

        Range minus(Range other) {
            return fitting(new Range(least - other.most, most - other.least));
        }

        /** The values in both ranges; if there are none the code is not reached. */
        Range and(Range other) {
            return new Range(Math.max(least, other.least), Math.min(most, other.most));
        }

        private static Range fitting(Range range) {
            boolean fits = range.least >= Integer.MIN_VALUE && range.most <= Integer.MAX_VALUE;
            return fits ? range : ANY;
        }
    }

    /**
     * Whether a loop ends that adds a step in each pass, and in each pass goes on only if a comparison of the counter
     * with the limit holds.
     *
     * @param goesOn the JVM's {@code if_icmp} opcode under which the loop goes on, with the counter as left operand
     */
    static boolean ends(int step, int goesOn, Range limit) {
        return switch (goesOn) {
            case Opcodes.IF_ICMPLT -> step > 0 && limit.most() - 1 + step <= Integer.MAX_VALUE;
            case Opcodes.IF_ICMPLE -> step > 0 && limit.most() + step <= Integer.MAX_VALUE;
            case Opcodes.IF_ICMPGT -> step < 0 && limit.least() + 1 + step >= Integer.MIN_VALUE;
            case Opcodes.IF_ICMPGE -> step < 0 && limit.least() + step >= Integer.MIN_VALUE;
            default -> false;
        };
    }

    /** The range of the values for which a comparison with a limit holds. */
    static Range passing(int comparison, Range limit) {
        return switch (comparison) {
            case Opcodes.IF_ICMPLT -> new Range(Integer.MIN_VALUE, limit.most() - 1);
            case Opcodes.IF_ICMPLE -> new Range(Integer.MIN_VALUE, limit.most());
            case Opcodes.IF_ICMPGT -> new Range(limit.least() + 1, Integer.MAX_VALUE);
            case Opcodes.IF_ICMPGE -> new Range(limit.least(), Integer.MAX_VALUE);
            default -> ANY;
        };
    }

    /** The comparison that is equivalent with its operands exchanged. */
    static int swapped(int opcode) {
        return switch (opcode) {
            case Opcodes.IF_ICMPLT -> Opcodes.IF_ICMPGT;
            case Opcodes.IF_ICMPGT -> Opcodes.IF_ICMPLT;
            case Opcodes.IF_ICMPLE -> Opcodes.IF_ICMPGE;
            case Opcodes.IF_ICMPGE -> Opcodes.IF_ICMPLE;
            default -> opcode;
        };
    }

    /** The comparison that holds if and only if this one does not. */
    static int negated(int opcode) {
        return switch (opcode) {
            case Opcodes.IF_ICMPLT -> Opcodes.IF_ICMPGE;
            case Opcodes.IF_ICMPGE -> Opcodes.IF_ICMPLT;
            case Opcodes.IF_ICMPGT -> Opcodes.IF_ICMPLE;
            case Opcodes.IF_ICMPLE -> Opcodes.IF_ICMPGT;
            case Opcodes.IFEQ -> Opcodes.IFNE;
            case Opcodes.IFNE -> Opcodes.IFEQ;
            default -> opcode;
        };
    }
}
