/**
 * Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and run the
 * command again.
 */
/** The operations, by method and path template. */
export const OPERATIONS = {
    "DELETE /plants/{id}": {
        "parameters": {
            "path": {
                "id": {
                    "$ref": "#/components/schemas/PlantId"
                }
            }
        },
        "body": {},
        "responses": {
            "204": {}
        }
    }
};
/** The shapes that others refer to, by pointer. */
export const SCHEMAS = {
    "#/components/schemas/PlantId": {
        "int64": true
    }
};
