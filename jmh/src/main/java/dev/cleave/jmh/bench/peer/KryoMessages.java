package dev.cleave.jmh.bench.peer;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.ByteBufferInput;
import com.esotericsoftware.kryo.io.ByteBufferOutput;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.FrameworkMessage;
import com.esotericsoftware.kryonet.Serialization;
import java.nio.ByteBuffer;

/** Writes and reads what KryoNet sends. Thread-safe, as KryoNet wants it: threads that write wait for each other. */
final class KryoMessages implements Serialization {

    private final Kryo writing = kryo();
    private final ByteBufferOutput output = new ByteBufferOutput(); // guarded by writing
    private final Kryo reading = kryo();
    private final ByteBufferInput input = new ByteBufferInput(); // guarded by reading

    /**
     * A call or its answer.
     *
     * @param number the call's
     * @param body the argument or the result
     */
    record Message(int number, Object body) {

        Message {
            requireNonNull(body, "body");
        }
    }

    private static Kryo kryo() {
        Kryo kryo = new Kryo();
        kryo.setReferences(false);
        kryo.setRegistrationRequired(true);
        kryo.register(FrameworkMessage.RegisterTCP.class);
        kryo.register(FrameworkMessage.RegisterUDP.class);
        kryo.register(FrameworkMessage.KeepAlive.class);
        kryo.register(FrameworkMessage.DiscoverHost.class);
        kryo.register(FrameworkMessage.Ping.class);
        kryo.register(byte[].class);
        kryo.register(double[].class);
        kryo.register(Message.class, new MessageSerializer());
        return kryo;
    }

    @Override
    public void write(Connection connection, ByteBuffer buffer, Object object) {
        synchronized (writing) {
            output.setBuffer(buffer, buffer.capacity());
            writing.writeClassAndObject(output, object);
            output.flush();
        }
    }

    @Override
    public Object read(Connection connection, ByteBuffer buffer) {
        synchronized (reading) {
            input.setBuffer(buffer);
            return reading.readClassAndObject(input);
        }
    }

    @Override
    public int getLengthLength() {
        return Integer.BYTES;
    }

    @Override
    public void writeLength(ByteBuffer buffer, int length) {
        buffer.putInt(length);
    }

    @Override
    public int readLength(ByteBuffer buffer) {
        return buffer.getInt();
    }

    private static final class MessageSerializer extends Serializer<Message> {

        @Override
        public void write(Kryo kryo, Output output, Message message) {
            output.writeInt(message.number());
            kryo.writeClassAndObject(output, message.body());
        }

        @Override
        public Message read(Kryo kryo, Input input, Class<? extends Message> type) {
            int number = input.readInt();
            return new Message(number, kryo.readClassAndObject(input));
        }
    }
}
