package dev.cleave.broker.verify;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.cleave.Ref;
import dev.cleave.call.Stub;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Renders arguments as text: equal arguments give equal texts, which have a readable part and a digest. */
final class Digests {

    private static final int SHOWN = 60;
    private static final char END = '\u0000';

    private Digests() {}

    static String of(Object @Nullable [] arguments) {
        Object[] all = arguments == null ? new Object[0] : arguments;
        String text = Arrays.deepToString(all);
        text = text.substring(1, text.length() - 1);
        return (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text) + END + digest(all);
    }

    /** The readable part. */
    static String shown(String digest) {
        return digest.substring(0, digest.lastIndexOf(END));
    }

    private static String digest(Object[] arguments) {
        try (Output output = new Output(256, -1)) {
            Kryo kryo = new Kryo();
            kryo.setRegistrationRequired(false);
            kryo.setReferences(true);
            kryo.addDefaultSerializer(Stub.class, new Elsewhere());
            kryo.addDefaultSerializer(Ref.class, new Elsewhere());
            kryo.writeObject(output, arguments);
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(output.toBytes());
            return Base64.getEncoder().encodeToString(hash);
        } catch (KryoException | IllegalArgumentException e) {
            return String.valueOf(e.getMessage()); // the value cannot be serialised: its text must do
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes nothing for objects of other nodes, whose contents are unknown here. */
    private static final class Elsewhere extends Serializer<Object> {

        @Override
        public void write(Kryo kryo, Output output, Object object) {}

        @Override
        public Object read(Kryo kryo, Input input, Class<?> type) {
            throw new UnsupportedOperationException();
        }
    }
}
