package dev.cleave.broker.relay;

import dev.cleave.testing.FakeConnection;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** A client that keeps what its servers tell it. */
final class FakeClient implements Pair.Client {

    final FakeConnection connection;
    final BackPressure pressure;
    final PeerNumbers numbers = new PeerNumbers();
    final List<Pair.Call> inFlight = new ArrayList<>();
    final List<Pair.Call> remembered = new ArrayList<>();
    final List<String> moved = new ArrayList<>();
    final List<Pair.Call> lost = new ArrayList<>();
    final List<Pair> gone = new ArrayList<>();
    final List<Long> suspected = new ArrayList<>();
    boolean isClosed;
    private final Object anyRoom = new Object();

    FakeClient(String name) {
        connection = new FakeConnection(name);
        pressure = new BackPressure(connection);
    }

    @Override
    public FakeConnection connection() {
        return connection;
    }

    @Override
    public BackPressure pressure() {
        return pressure;
    }

    @Override
    public Object anyRoom() {
        return anyRoom;
    }

    @Override
    public PeerNumbers numbers() {
        return numbers;
    }

    @Override
    public Pair.Server same() {
        throw new UnsupportedOperationException("no calls back");
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void entered(Pair.Call call) {
        inFlight.add(call);
    }

    @Override
    public boolean ended(Pair.Call call) {
        return inFlight.remove(call);
    }

    @Override
    public void remember(Pair.Call call, ByteBuf frame) {
        remembered.add(call);
    }

    @Override
    public void deliver(ByteBuf frame, Pair.Server from) {
        connection.write(frame);
    }

    @Override
    public void moved(Pair.Call call, String replica) {
        moved.add(call.clientId() + " to " + replica);
    }

    @Override
    public void lost(Pair.Call call, Endpoint server) {
        lost.add(call);
    }

    @Override
    public void gone(Pair pair) {
        gone.add(pair);
    }

    @Override
    public void suspected(List<Long> calls) {
        suspected.addAll(calls);
    }

    /** The peer and id that a frame names. */
    static String address(ByteBuf frame) {
        return Header.peer(frame) + "/" + Header.id(frame);
    }
}
