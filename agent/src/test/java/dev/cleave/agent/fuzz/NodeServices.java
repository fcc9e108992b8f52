package dev.cleave.agent.fuzz;

import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** The two services of generated programs, each on a node of its own, and the stubs of a third node. */
final class NodeServices implements AutoCloseable {

    private final List<Node> nodes = new ArrayList<>();
    private final FuzzService s;
    private final FuzzService t;
    private volatile ScriptedServer current;

    /**
     * Connects three nodes.
     *
     * @param queue how many calls wait at most at each server
     */
    NodeServices(NodeOptions common, int queue) {
        for (String name : List.of("s", "t")) {
            Node node = Node.connect(common.withName("node-" + name).withCapacity(1, queue));
            nodes.add(node);
            InvocationHandler handler = (proxy, method, arguments) -> {
                try {
                    synchronized (this) { // calls of both nodes are one story
                        return method.invoke(new ScriptedStub(name, current), arguments);
                    }
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            node.bind(name, (FuzzService) Proxy.newProxyInstance(
                    FuzzService.class.getClassLoader(), new Class<?>[] {FuzzService.class}, handler));
        }
        Node client = Node.connect(common.withName("programs"));
        nodes.add(client);
        s = client.lookup("s", FuzzService.class);
        t = client.lookup("t", FuzzService.class);
    }

    /** Lets a server say from now on what calls return. */
    void serve(ScriptedServer server) {
        current = server;
    }

    /**
     * Waits for the end of calls that a program has given up: each node has one worker, and a call that is given up is not begun
     * any more when the next one comes. No server sees calls from then on.
     */
    void settle() {
        current = new ScriptedServer(0, 0, current.program(), InFlightBound.ONE);
        int unused = s.barrier(0) + t.barrier(0);
    }

    FuzzService s() {
        return s;
    }

    FuzzService t() {
        return t;
    }

    @Override
    public void close() {
        for (int i = nodes.size() - 1; i >= 0; i--) {
            nodes.get(i).close();
        }
    }
}
