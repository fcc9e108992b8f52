package dev.cleave.rmi;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Stub;
import dev.cleave.server.RunningCall;
import java.io.IOException;
import java.net.MalformedURLException;
import java.rmi.AlreadyBoundException;
import java.rmi.Naming;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import org.jspecify.annotations.Nullable;

/**
 * The methods that rewritten classes call in the place of those of {@code java.rmi} and {@code javax.naming}. Each has the
 * parameters, results and exceptions of the one that it replaces. The names never change.
 */
public final class RmiCalls {

    private RmiCalls() {}

    /** {@link UnicastRemoteObject#exportObject(Remote, int)}. */
    public static Remote exportObject(Remote object, int port) throws RemoteException {
        FrontFactory.install();
        Remote stub = UnicastRemoteObject.exportObject(object, port);
        RmiNode node = RmiNode.get();
        if (node != null) {
            node.offer(object, stub);
        }
        return stub;
    }

    /** {@link UnicastRemoteObject#unexportObject(Remote, boolean)}. */
    public static boolean unexportObject(Remote object, boolean force) throws NoSuchObjectException {
        if (!force && RunningCall.isOf(object)) {
            return false;
        }
        boolean done = UnicastRemoteObject.unexportObject(object, force);
        RmiNode node = RmiNode.get();
        if (done && node != null) {
            node.withdraw(object);
        }
        return done;
    }

    /** Called before a constructor of {@link UnicastRemoteObject} exports an object. */
    public static void prepare() {
        FrontFactory.install();
    }

    /** {@link RMISocketFactory#setSocketFactory(RMISocketFactory)}. */
    public static void setSocketFactory(@Nullable RMISocketFactory factory) throws IOException {
        FrontFactory.set(factory);
    }

    /** {@link RMISocketFactory#getSocketFactory()}. */
    public static @Nullable RMISocketFactory getSocketFactory() {
        return FrontFactory.get();
    }

    /** Called when a constructor of {@link UnicastRemoteObject} has exported an object. */
    public static void exported(Object object) throws NoSuchObjectException {
        Remote remote = (Remote) object;
        RmiNode node = RmiNode.get();
        if (node != null) {
            node.offer(remote, RemoteObject.toStub(remote));
        }
    }

    /** {@link RemoteObject#toStub(Remote)}. A stub is its own stub. */
    public static Remote toStub(Remote object) throws NoSuchObjectException {
        return object instanceof Stub ? object : RemoteObject.toStub(object);
    }

    /** {@link LocateRegistry#createRegistry(int)}. */
    public static Registry createRegistry(int port) throws RemoteException {
        FrontFactory.install();
        return LocateRegistry.createRegistry(port);
    }

    /** {@link Registry#lookup(String)}. */
    public static Remote lookup(Registry registry, String name) throws RemoteException, NotBoundException {
        return (Remote) requireNonNull(found(registry.lookup(name)));
    }

    /** {@link Naming#lookup(String)}. */
    public static Remote lookup(String name) throws NotBoundException, MalformedURLException, RemoteException {
        return (Remote) requireNonNull(found(Naming.lookup(name)));
    }

    /** The object that a look-up of {@code javax.naming} has found. */
    public static @Nullable Object found(@Nullable Object object) {
        RmiNode node = object instanceof Remote ? RmiNode.get() : null;
        return node == null || object == null ? object : node.upgraded(object);
    }

    /** {@link Registry#bind(String, Remote)}. */
    public static void bind(Registry registry, String name, Remote object)
            throws RemoteException, AlreadyBoundException {
        Object unused = given(object);
        registry.bind(name, object);
    }

    /** {@link Registry#rebind(String, Remote)}. */
    public static void rebind(Registry registry, String name, Remote object) throws RemoteException {
        Object unused = given(object);
        registry.rebind(name, object);
    }

    /** {@link Naming#bind(String, Remote)}. */
    public static void bind(String name, Remote object)
            throws AlreadyBoundException, MalformedURLException, RemoteException {
        Object unused = given(object);
        Naming.bind(name, object);
    }

    /** {@link Naming#rebind(String, Remote)}. */
    public static void rebind(String name, Remote object) throws RemoteException, MalformedURLException {
        Object unused = given(object);
        Naming.rebind(name, object);
    }

    /** The object that a program binds, to {@code javax.naming} or a registry: clients of RMI may hold it from now on. */
    public static @Nullable Object given(@Nullable Object object) {
        RmiNode node = object instanceof Remote ? RmiNode.get() : null;
        if (node != null) {
            node.given(object);
        }
        return object;
    }

    /** {@link RemoteServer#getClientHost()}. */
    public static String getClientHost() throws ServerNotActiveException {
        String host = RunningCall.caller();
        return host != null ? host : RemoteServer.getClientHost();
    }
}
