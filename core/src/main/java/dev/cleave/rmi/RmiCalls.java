package dev.cleave.rmi;

import dev.cleave.server.RunningCall;
import java.io.IOException;
import java.net.MalformedURLException;
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
 * What rewritten classes call in the place of methods of {@code java.rmi} and {@code javax.naming}. Each method has the
 * parameters, results and exceptions of the one that it replaces. The names never change.
 */
public final class RmiCalls {

    private RmiCalls() {}

    /** {@link UnicastRemoteObject#exportObject(Remote, int)}. */
    public static Remote exportObject(Remote object, int port) throws RemoteException {
        FrontFactory.install();
        Remote stub = UnicastRemoteObject.exportObject(object, port);
        RmiNode.get().offer(object, stub);
        return stub;
    }

    /** {@link UnicastRemoteObject#unexportObject(Remote, boolean)}. */
    public static boolean unexportObject(Remote object, boolean force) throws NoSuchObjectException {
        if (!force && RunningCall.isOf(object)) {
            return false;
        }
        boolean done = UnicastRemoteObject.unexportObject(object, force);
        if (done) {
            RmiNode.get().withdraw(object);
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
        RmiNode.get().offer(remote, RemoteObject.toStub(remote));
    }

    /** {@link LocateRegistry#createRegistry(int)}. */
    public static Registry createRegistry(int port) throws RemoteException {
        FrontFactory.install();
        return LocateRegistry.createRegistry(port);
    }

    /** {@link Registry#lookup(String)}. */
    public static Remote lookup(Registry registry, String name) throws RemoteException, NotBoundException {
        Remote found = registry.lookup(name);
        return found == null ? found : (Remote) RmiNode.get().upgraded(found);
    }

    /** {@link Naming#lookup(String)}. */
    public static Remote lookup(String name) throws NotBoundException, MalformedURLException, RemoteException {
        Remote found = Naming.lookup(name);
        return found == null ? found : (Remote) RmiNode.get().upgraded(found);
    }

    /** The object that a look-up of {@code javax.naming} has found. */
    public static @Nullable Object found(@Nullable Object object) {
        return object instanceof Remote ? RmiNode.get().upgraded(object) : object;
    }

    /** {@link RemoteServer#getClientHost()}. */
    public static String getClientHost() throws ServerNotActiveException {
        String host = RunningCall.caller();
        return host != null ? host : RemoteServer.getClientHost();
    }
}
