package dev.cleave.call;

/**
 * A call whose arguments have been written and that has not been sent. It can be sent, and compared with another call
 * byte by byte. Holds no buffer.
 */
public abstract class Encoded {

    /** Sends exactly what was written. */
    public abstract Handle send();

    /** Says whether the other is a call of the same method through the same stub, with the same bytes. */
    public abstract boolean isSameCall(Encoded other);

    /** The group of the method (R60), empty for none. */
    public abstract String group();

    /** How many bytes the arguments take. */
    public abstract int size();
}
