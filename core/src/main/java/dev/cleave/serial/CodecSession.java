package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import dev.cleave.CallException.CallSite;
import dev.cleave.Later;
import org.jspecify.annotations.Nullable;

/** The reading or writing of one value, as the codecs of its parts see it. Used by one thread at a time. */
interface CodecSession {

    /** The Kryo that has called the codec. */
    Kryo kryo();

    /** Where a value is read from. */
    BoundedInput input();

    /** Whether objects of a class may be read and written. */
    boolean allows(Class<?> type);

    /** The call that is named in substitutes for exceptions that may not be loaded. */
    CallSite site();

    /** The replacements and checks of hooks. */
    MessageHooks hooks();

    /** The number of the object that is being read, when its codec is called. */
    int lastRead();

    /** Puts an object in the place of one that has been read. */
    void resolved(int number, @Nullable Object object);

    /** Returns the object to which a reference leads that has been read. */
    Object arriving(Reference reference);

    /** Returns the placeholder of a streamed value within an object. */
    Placeholder placeholder(Later.Value<?> value);

    /** Returns the streamed value within an object for which a placeholder stands. */
    Later.Value<?> value(Placeholder placeholder, Shape shape);
}
