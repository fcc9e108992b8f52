package samples.compute;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

public class ComputeEngine implements Compute {

    private static ComputeEngine engine;

    @Override
    public <T> T executeTask(Task<T> task) {
        return task.execute();
    }

    public static void main(String[] args) throws Exception {
        engine = new ComputeEngine();
        Compute stub = (Compute) UnicastRemoteObject.exportObject(engine, 0);
        Registry registry = LocateRegistry.getRegistry(Integer.parseInt(args[0]));
        registry.rebind("Compute", stub);
        System.out.println("ComputeEngine bound");
    }
}
