package dev.cleave;

import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;

/**
 * Writes and reads the objects of a class that Cleave cannot send by itself, or that the program wants to write in its
 * own way. Found by {@link java.util.ServiceLoader}, or by the class names that the application file has under {@code
 * codecs}, for all services or for one.
 *
 * <p>Both sides must have the codec. {@link #type} may travel as if an interface named it. Values inside may be written
 * with {@code writeObject}; they keep their identity, and must be of classes that may travel. Bytes that {@code read}
 * leaves are skipped; it gets an {@code EOFException} where there are none.
 *
 * <p>Used by several threads at the same time. {@code dev.cleave.serial.ValueCodecContract} checks a codec.
 *
 * @param <T> the type of the objects
 */
public interface ValueCodec<T> {

    /**
     * The class whose objects it writes; also those of its subclasses if it is an interface or an abstract class.
     * Received objects are of this type.
     */
    Class<T> type();

    /**
     * The name of what it writes: codecs of two versions that understand each other have the same. The class name of the
     * codec unless it is overridden.
     */
    default String format() {
        return getClass().getName();
    }

    /** Writes an object, which is not null. */
    void write(T value, ObjectOutput out) throws IOException;

    /**
     * Reads what {@link #write} has written. What it reads may come from an enemy: it checks lengths before it allocates
     * memory.
     *
     * @return the object; not null
     */
    T read(ObjectInput in) throws IOException, ClassNotFoundException;
}
