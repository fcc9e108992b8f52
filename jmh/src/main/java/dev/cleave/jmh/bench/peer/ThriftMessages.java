package dev.cleave.jmh.bench.peer;

import dev.cleave.jmh.bench.contender.Values;
import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/**
 * The messages that Thrift's compiler would generate for the service: a struct of one field, or none, for arguments and
 * results.
 */
final class ThriftMessages {

    private static final TStruct STRUCT = new TStruct("value");
    private static final TField NUMBER = new TField("value", TType.I64, (short) 1);
    private static final TField BYTES = new TField("value", TType.STRING, (short) 1);

    private ThriftMessages() {}

    /** Reads a call, and writes its reply. */
    static void answer(TProtocol in, TProtocol out) throws TException {
        TMessage call = in.readMessageBegin();
        switch (call.name) {
            case "nothing" -> {
                boolean unused = readNothing(in);
                reply(in, out, call);
                unused = writeNothing(out);
            }
            case "echo" -> {
                long value = readNumber(in);
                reply(in, out, call);
                boolean unused = write(out, value);
            }
            case "bytes" -> {
                ByteBuffer bytes = readBytes(in);
                reply(in, out, call);
                boolean unused = write(out, bytes);
            }
            case "ends" -> {
                double sum = Values.ends(Values.doubles(readBytes(in)));
                reply(in, out, call);
                boolean unused = write(out, Double.doubleToRawLongBits(sum));
            }
            case "doubles" -> {
                double[] values = Values.served((int) readNumber(in));
                reply(in, out, call);
                boolean unused = write(out, ByteBuffer.wrap(Values.bytes(values)));
            }
            default -> throw new TProtocolException(TProtocolException.INVALID_DATA, "method: " + call.name);
        }
        end(out);
    }

    private static void reply(TProtocol in, TProtocol out, TMessage call) throws TException {
        in.readMessageEnd();
        begin(out, call.name, TMessageType.REPLY, call.seqid);
    }

    static void begin(TProtocol out, String method, byte type, int number) throws TException {
        out.writeMessageBegin(new TMessage(method, type, number));
    }

    static void end(TProtocol out) throws TException {
        out.writeMessageEnd();
        out.getTransport().flush();
    }

    static boolean writeNothing(TProtocol out) throws TException {
        out.writeStructBegin(STRUCT);
        out.writeFieldStop();
        out.writeStructEnd();
        return true;
    }

    static boolean write(TProtocol out, long value) throws TException {
        out.writeStructBegin(STRUCT);
        out.writeFieldBegin(NUMBER);
        out.writeI64(value);
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        return true;
    }

    static boolean write(TProtocol out, ByteBuffer bytes) throws TException {
        out.writeStructBegin(STRUCT);
        out.writeFieldBegin(BYTES);
        out.writeBinary(bytes);
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        return true;
    }

    static boolean readNothing(TProtocol in) throws TException {
        in.readStructBegin();
        if (in.readFieldBegin().type != TType.STOP) {
            throw new TProtocolException(TProtocolException.INVALID_DATA, "a field (expected: none)");
        }
        in.readStructEnd();
        return true;
    }

    static long readNumber(TProtocol in) throws TException {
        field(in, TType.I64);
        long value = in.readI64();
        endOfField(in);
        return value;
    }

    static ByteBuffer readBytes(TProtocol in) throws TException {
        field(in, TType.STRING);
        ByteBuffer value = in.readBinary();
        endOfField(in);
        return value;
    }

    private static void field(TProtocol in, byte type) throws TException {
        in.readStructBegin();
        TField field = in.readFieldBegin();
        if (field.type != type) {
            throw new TProtocolException(
                    TProtocolException.INVALID_DATA, "type: " + field.type + " (expected: " + type + ")");
        }
    }

    private static void endOfField(TProtocol in) throws TException {
        in.readFieldEnd();
        TField stop = in.readFieldBegin();
        if (stop.type != TType.STOP) {
            throw new TProtocolException(TProtocolException.INVALID_DATA, "a second field (expected: none)");
        }
        in.readStructEnd();
    }
}
