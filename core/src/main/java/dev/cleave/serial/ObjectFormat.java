package dev.cleave.serial;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A format of its own for the objects of an interface, in the place of the usual one: Java serialization for the
 * interfaces of RMI programs. Values of primitive types, and strings and arrays that travel alone, are written as
 * always. Thread-safe.
 */
public interface ObjectFormat {

    /** Returns the same format for the values of one interface. */
    ObjectFormat of(Class<?> type);

    /**
     * Begins to write the objects of one message.
     *
     * @param quiet whether to refuse objects whose writing runs code of the program, and references
     */
    Out writer(TypePolicy policy, Passing passing, boolean quiet);

    /**
     * Begins to read the objects of one message.
     *
     * @param names of the peer that has sent it
     */
    In reader(byte[] bytes, TypePolicy policy, Passing passing, AnnouncedNames names);

    /** Resolves the text that {@link Reference#type} has for an object that is passed by reference. */
    Class<?> remoteType(String name);

    /** Returns the name by which {@link #remoteType} finds an interface. */
    String remoteName(Class<?> type);

    /** The longest time that a call takes unless the application file says another one. */
    Duration deadline();

    /** Returns the object that the program gets for a reference to an object of this node. */
    Object atHome(Object object);

    /** Returns the object that Java serialization writes in the place of a stub. */
    Object serialized(Object stub);

    /** Returns the exception that travels in the place of one that a method has thrown. */
    Throwable thrown(Throwable thrown);

    /** The objects of one message, as they are written. Used by one thread. */
    interface Out {

        /** Writes an object or null; any exception fails the message. */
        void put(@Nullable Object value) throws Exception;

        /** Ends the message and returns its bytes. */
        byte[] end() throws Exception;

        /** The objects of which references were written. */
        List<Object> departed();
    }

    /** The objects of one message, as they are read. Used by one thread. */
    interface In {

        /** Reads the next object. */
        @Nullable
        Object take() throws Exception;

        /** Says that all bytes have been read. */
        boolean isAtEnd();
    }
}
